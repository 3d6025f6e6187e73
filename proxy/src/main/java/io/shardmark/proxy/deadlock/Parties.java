package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whose a server's transaction is: this proxy's, another proxy's that has announced it, or a
 * stranger's.
 *
 * @param announced what other proxies have said
 * @param byBackend this proxy's open transactions
 * @param byGid those of them that have prepared
 */
record Parties(
    long ownProxy, Announcements announced, Map<Backend, Long> byBackend, Map<String, Long> byGid) {

  /**
   * @param open this proxy's transactions
   */
  static Parties of(long ownProxy, Announcements announced, List<OpenTransaction> open) {
    Map<Backend, Long> byBackend = new HashMap<>();
    Map<String, Long> byGid = new HashMap<>();
    for (OpenTransaction transaction : open) {
      transaction.backends().forEach(backend -> byBackend.put(backend, transaction.id()));
      if (!transaction.gid().isEmpty()) {
        byGid.put(transaction.gid(), transaction.id());
      }
    }
    return new Parties(ownProxy, announced, byBackend, byGid);
  }

  WaitEdge edge(LockWait wait) {
    WaitEdge.Wait identity = wait.identity();
    return new WaitEdge(party(identity.waiting()), party(identity.blocking()), identity);
  }

  Party party(ServerTransaction transaction) {
    return own(transaction)
        .map(id -> new Party.Transaction(ownProxy, id))
        .or(() -> announced.whole(transaction))
        .<Party>map(whole -> whole)
        .orElseGet(() -> new Party.Stranger(transaction));
  }

  private Optional<Long> own(ServerTransaction part) {
    return part.isPrepared()
        ? Gid.parsePrepared(part.name()).map(name -> byGid.get(name.gid().text()))
        : Optional.ofNullable(byBackend.get(new Backend(part.shard(), part.processId())));
  }
}
