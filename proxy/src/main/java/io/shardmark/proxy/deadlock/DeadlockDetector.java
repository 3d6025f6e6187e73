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
 * several proxies write the same rows, lock_timeout or statement_timeout ends such a wait.
 */
public final class DeadlockDetector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadlockDetector.class);

  private final TransactionDirectory directory;
  private final List<WaitQuery> queries = new ArrayList<>();
  private final ScheduledExecutorService looker;
  private final Runnable whenBroken;
  private Set<WaitEdge> seenBefore = Set.of();

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
    Waits found = read();
    if (found.waits().isEmpty()) {
      seenBefore = Set.of();
      return 0;
    }
    return judge(found.waits(), directory.snapshot());
  }

  /**
   * Who waits on which shard at this moment.
   *
   * @param unreachable why a shard could not be asked, by its name
   */
  public record Waits(List<LockWait> waits, Map<String, String> unreachable) {
    public Waits {
      waits = List.copyOf(waits);
      unreachable = Map.copyOf(unreachable);
    }
  }

  /** All waits of now, with the transactions of this proxy that they belong to. Blocks. */
  public synchronized Waits waits() {
    Waits found = read();
    return found.waits().isEmpty()
        ? found
        : new Waits(Owners.of(directory.snapshot()).name(found.waits()), found.unreachable());
  }

  private Waits read() {
    List<LockWait> found = new ArrayList<>();
    Map<String, String> unreachable = new HashMap<>();
    for (WaitQuery query : queries) {
      try {
        found.addAll(query.read());
      } catch (SQLException e) {
        // A shard that is away has no waits either; recovery and health checks report it.
        LOG.debug("reading lock waits: {}", e.getMessage());
        unreachable.put(query.shardName(), String.valueOf(e.getMessage()));
      }
    }
    return new Waits(found, unreachable);
  }

  private int judge(List<LockWait> found, List<OpenTransaction> transactions) {
    Map<Long, Long> ages = new HashMap<>();
    transactions.forEach(one -> ages.put(one.id(), one.startNanos()));
    Map<WaitEdge, LockWait> waits = new HashMap<>();
    for (LockWait wait : Owners.of(transactions).name(found)) {
      waits.putIfAbsent(edge(wait), wait);
    }
    Set<WaitEdge> now = new HashSet<>(waits.keySet());
    Set<WaitEdge> lasting = new HashSet<>(now);
    lasting.retainAll(seenBefore);
    List<List<WaitEdge>> deadlocks = new WaitGraph(lasting).deadlocks(ages);
    for (List<WaitEdge> cycle : deadlocks) {
      WaitEdge victim = cycle.get(0);
      cancel(victim, cycle.stream().map(edge -> describe(edge, waits)).toList());
      // What has just been cut must be seen twice again before it is cut again.
      now.removeIf(edge -> edge.waiter().equals(victim.waiter()));
    }
    seenBefore = now;
    return deadlocks.size();
  }

  private static WaitEdge edge(LockWait wait) {
    LockWait.Blocker blocker = wait.blocker();
    return new WaitEdge(
        party(wait.transaction(), wait.shard(), wait.processId()),
        blocker.processId() == 0 && blocker.transaction().isEmpty()
            ? new Party.Prepared(wait.shard())
            : party(blocker.transaction(), wait.shard(), blocker.processId()),
        wait.shard(),
        wait.processId());
  }

  private static Party party(Optional<Long> transaction, int shard, int processId) {
    return transaction.isPresent()
        ? new Party.Transaction(transaction.get())
        : new Party.Stranger(shard, processId);
  }

  private void cancel(WaitEdge victim, List<String> cycle) {
    if (victim.waiter() instanceof Party.Transaction transaction) {
      String detail = String.join("\n", cycle);
      LOG.info("deadlock over several shards: {}", detail.replace('\n', ' '));
      whenBroken.run();
      directory.cancel(transaction.id(), new Backend(victim.shard(), victim.processId()), detail);
    }
  }

  /** As PostgreSQL's DeadLockReport does for one server, with the shard. */
  private String describe(WaitEdge edge, Map<WaitEdge, LockWait> waits) {
    LockWait wait = waits.get(edge);
    if (wait == null) {
      throw new IllegalStateException("no wait is behind " + edge);
    }
    LockWait.Blocker blocker = wait.blocker();
    return "Process %d of shard %s waits for %s; blocked by %s."
        .formatted(
            wait.processId(),
            queries.get(wait.shard()).shardName(),
            wait.lock(),
            blocker.processId() == 0
                ? "prepared transaction " + blocker.preparedName()
                : "process " + blocker.processId());
  }

  @Override
  public synchronized void close() {
    looker.shutdownNow();
    queries.forEach(WaitQuery::close);
  }
}
