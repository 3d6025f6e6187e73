package io.shardmark.proxy.deadlock;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the other proxies have announced, as long as it concerns somebody who waits or is waited
 * for. Belongs to one thread at a time.
 */
final class Announcements {
  private final long ownProxy;
  private final List<String> shardNames;
  private final Map<String, Announcement> byPart = new HashMap<>();

  /**
   * @param shardNames by index
   */
  Announcements(long ownProxy, List<String> shardNames) {
    this.ownProxy = ownProxy;
    this.shardNames = List.copyOf(shardNames);
  }

  /** Takes in what has been heard; this proxy's own words and what is none are passed over. */
  void hear(Collection<String> messages) {
    for (String message : messages) {
      Announcement.parse(message)
          .filter(heard -> heard.transaction().proxy() != ownProxy)
          .ifPresent(heard -> byPart.put(heard.part(), heard));
    }
  }

  /**
   * Forgets all but those who wait or are waited for: who announced them says it again as long as
   * they wait.
   */
  void keep(List<LockWait> waits) {
    Set<String> parts = new HashSet<>();
    for (LockWait wait : waits) {
      parts.add(name(wait.identity().waiting()));
      parts.add(name(wait.identity().blocking()));
    }
    byPart.keySet().retainAll(parts);
  }

  /** As all proxies call a server's transaction. */
  String name(ServerTransaction transaction) {
    return Announcement.name(transaction, shardNames.get(transaction.shard()));
  }

  /** The transaction that a server's transaction is part of. */
  Optional<Party.Transaction> whole(ServerTransaction part) {
    return Optional.ofNullable(byPart.get(name(part))).map(Announcement::transaction);
  }

  /** When they began. */
  Map<Party.Transaction, Long> starts() {
    Map<Party.Transaction, Long> starts = new HashMap<>();
    byPart.values().forEach(known -> starts.put(known.transaction(), known.startMicros()));
    return starts;
  }
}
