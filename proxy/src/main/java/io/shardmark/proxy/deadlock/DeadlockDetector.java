package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for deadlocks over several shards and breaks them. Thread-safe; looks on a thread of its
 * own.
 *
 * <p>The shards are asked one after the other, so one look can show waits that never were there
 * together; only what two looks in a row have seen counts. A cycle that runs through a transaction
 * of another proxy is not seen, since nobody here knows which of its waits belong together: where
 * several proxies write the same rows, lock_timeout bounds such a wait.
 */
public final class DeadlockDetector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadlockDetector.class);

  private final TransactionDirectory directory;
  private final List<WaitQuery> queries = new ArrayList<>();
  private final ScheduledExecutorService looker;
  private final Runnable whenBroken;
  private Set<WaitEdge> seenBefore = Set.of();
  private volatile List<LockWait> waits = List.of();

  /**
   * @param shards in the order of their indexes
   * @param whenBroken runs for each transaction that is cancelled, on the thread that looks
   */
  public DeadlockDetector(
      List<ShardAccess> shards, TransactionDirectory directory, Runnable whenBroken) {
    this.directory = directory;
    this.whenBroken = whenBroken;
    for (int shard = 0; shard < shards.size(); shard++) {
      queries.add(new WaitQuery(shard, shards.get(shard)));
    }
    this.looker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "shardmark-deadlock");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Looks every interval from now on. */
  @SuppressWarnings("FutureReturnValueIgnored") // a look logs its failures itself
  public void start(Duration interval) {
    looker.scheduleWithFixedDelay(
        this::lookLogged, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void lookLogged() {
    try {
      look();
    } catch (IllegalStateException | IllegalArgumentException e) {
      // Thrown on, it would end the schedule for good.
      LOG.error("looking for deadlocks failed", e);
    }
  }

  /** Looks once, on the calling thread, and cancels the victims; returns how many. */
  public synchronized int look() {
    List<LockWait> found = new ArrayList<>();
    for (WaitQuery query : queries) {
      try {
        found.addAll(query.read());
      } catch (SQLException e) {
        // A shard that is away has no waits either; recovery and health checks report it.
        LOG.debug("reading lock waits: {}", e.getMessage());
      }
    }
    if (found.isEmpty()) {
      waits = List.of();
      seenBefore = Set.of();
      return 0;
    }
    return judge(found, directory.snapshot());
  }

  private int judge(List<LockWait> found, List<OpenTransaction> transactions) {
    Map<Backend, Long> owners = new HashMap<>();
    Map<Long, Long> ages = new HashMap<>();
    for (OpenTransaction transaction : transactions) {
      ages.put(transaction.id(), transaction.startNanos());
      transaction.backends().forEach(backend -> owners.put(backend, transaction.id()));
    }
    List<LockWait> named = found.stream().map(wait -> named(wait, owners)).toList();
    waits = named;
    Set<WaitEdge> now = new HashSet<>();
    named.forEach(wait -> now.add(edge(wait)));
    Set<WaitEdge> lasting = new HashSet<>(now);
    lasting.retainAll(seenBefore);
    List<WaitEdge> victims = new WaitGraph(lasting).victims(ages);
    victims.forEach(this::cancel);
    // What has just been cut must be seen twice again before it is cut again.
    victims.forEach(victim -> now.removeIf(edge -> edge.waiter().equals(victim.waiter())));
    seenBefore = now;
    return victims.size();
  }

  private static LockWait named(LockWait wait, Map<Backend, Long> owners) {
    return new LockWait(
        wait.shard(),
        wait.processId(),
        Optional.ofNullable(owners.get(new Backend(wait.shard(), wait.processId()))),
        wait.blockingProcessId(),
        Optional.ofNullable(owners.get(new Backend(wait.shard(), wait.blockingProcessId()))),
        wait.lock(),
        wait.waiting());
  }

  private static WaitEdge edge(LockWait wait) {
    Party waiter = party(wait.transaction(), wait.shard(), wait.processId());
    Party blocker =
        wait.blockingProcessId() == 0
            ? new Party.Prepared(wait.shard())
            : party(wait.blockingTransaction(), wait.shard(), wait.blockingProcessId());
    return new WaitEdge(waiter, blocker, wait.shard(), wait.processId());
  }

  private static Party party(Optional<Long> transaction, int shard, int processId) {
    return transaction.isPresent()
        ? new Party.Transaction(transaction.get())
        : new Party.Stranger(shard, processId);
  }

  private void cancel(WaitEdge victim) {
    if (victim.waiter() instanceof Party.Transaction transaction) {
      LOG.info("deadlock over several shards: cancelling {}", victim);
      whenBroken.run();
      directory.cancel(
          transaction.id(),
          new Backend(victim.shard(), victim.processId()),
          "Process %d of shard %d waits for %s in a cycle over several shards."
              .formatted(victim.processId(), victim.shard(), describe(victim.blocker())));
    }
  }

  private static String describe(Party party) {
    if (party instanceof Party.Transaction transaction) {
      return "transaction " + transaction.id();
    }
    if (party instanceof Party.Stranger stranger) {
      return "process " + stranger.processId();
    }
    return "a prepared transaction";
  }

  /** The lock waits of the last look, for SHOW LOCKS. */
  public List<LockWait> waits() {
    return waits;
  }

  @Override
  public synchronized void close() {
    looker.shutdownNow();
    queries.forEach(WaitQuery::close);
  }
}
