package io.shardmark.proxy.deadlock;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whose a server's transaction is: this proxy's, another proxy's that has announced it, or a
 * stranger's. Pure.
 *
 * @param shardNames by index
 */
record Parties(long ownProxy, Announcements announcements, List<String> shardNames) {
  WaitEdge edge(LockWait wait) {
    WaitEdge.Wait identity = wait.identity();
    return new WaitEdge(
        party(wait.transaction(), identity.waiting()),
        party(wait.blocker().transaction(), identity.blocking()),
        identity);
  }

  private Party party(Optional<Long> own, ServerTransaction transaction) {
    if (own.isPresent()) {
      return new Party.Transaction(ownProxy, own.get());
    }
    Optional<Party.Transaction> whole = announcements.whole(name(transaction));
    return whole.isPresent() ? whole.get() : new Party.Stranger(transaction);
  }

  /** As other proxies call it too. */
  String name(ServerTransaction transaction) {
    return Announcement.name(transaction, shardNames.get(transaction.shard()));
  }

  /** All that wait or are waited for. */
  Set<String> names(List<LockWait> waits) {
    Set<String> names = new HashSet<>();
    for (LockWait wait : waits) {
      names.add(name(wait.waitingTransaction()));
      names.add(name(wait.blockingTransaction()));
    }
    return names;
  }
}
