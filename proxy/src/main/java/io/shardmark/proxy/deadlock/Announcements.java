package io.shardmark.proxy.deadlock;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the other proxies have announced, as long as it concerns somebody who waits or is waited
 * for. Belongs to one thread at a time.
 */
final class Announcements {
  private final Map<String, Announcement> byPart = new HashMap<>();

  /** Takes in what has been heard; this proxy's own words and what is none are passed over. */
  void hear(Collection<String> messages, long ownProxy) {
    for (String message : messages) {
      Announcement.parse(message)
          .filter(heard -> heard.transaction().proxy() != ownProxy)
          .ifPresent(heard -> byPart.put(heard.part(), heard));
    }
  }

  /** Forgets all other parts: who announced them says it again as long as they wait. */
  void keep(Set<String> parts) {
    byPart.keySet().retainAll(parts);
  }

  /** The transaction that a server's transaction is part of, by {@link Announcement#name}. */
  Optional<Party.Transaction> whole(String part) {
    return Optional.ofNullable(byPart.get(part)).map(Announcement::transaction);
  }

  /** When they began. */
  Map<Party.Transaction, Long> starts() {
    Map<Party.Transaction, Long> starts = new HashMap<>();
    byPart.values().forEach(known -> starts.put(known.transaction(), known.startMicros()));
    return starts;
  }
}
