package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.deadlock.LockWait.Blocker;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which transaction of this proxy a server process, or a prepared part, belongs to. */
record Owners(Map<Backend, Long> byBackend, Map<String, Long> byGid) {
  static Owners of(List<OpenTransaction> transactions) {
    Map<Backend, Long> byBackend = new HashMap<>();
    Map<String, Long> byGid = new HashMap<>();
    for (OpenTransaction transaction : transactions) {
      transaction.backends().forEach(backend -> byBackend.put(backend, transaction.id()));
      if (!transaction.gid().isEmpty()) {
        byGid.put(transaction.gid(), transaction.id());
      }
    }
    return new Owners(byBackend, byGid);
  }

  /** The same waits with their transactions. */
  List<LockWait> name(List<LockWait> waits) {
    return waits.stream().map(this::name).toList();
  }

  private LockWait name(LockWait wait) {
    Blocker blocker = wait.blocker();
    Optional<Long> blocking =
        blocker.processId() == 0
            ? Gid.parsePrepared(blocker.preparedName())
                .flatMap(name -> Optional.ofNullable(byGid.get(name.gid().text())))
            : ofBackend(wait.shard(), blocker.processId());
    return wait.of(ofBackend(wait.shard(), wait.processId()), blocking);
  }

  private Optional<Long> ofBackend(int shard, int processId) {
    return Optional.ofNullable(byBackend.get(new Backend(shard, processId)));
  }
}
