package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.deadlock.WaitGraph.WaitEdge;
import io.shardmark.proxy.recovery.ShardAccess;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for deadlocks over several shards and breaks them. Thread-safe; looks in the background.
 *
 * <p>The shards answer one after the other, so one look can show waits that never were there
 * together. So only waits that two looks in a row have seen count, and before a transaction is
 * cancelled the shards are asked once more whether its cycle still is there.
 *
 * <p>Where transactions of other proxies may be in a cycle too, the proxies show each other on the
 * servers which waits belong together ({@link ShownParts}). Each then finds the cycle alone and
 * cancels only its own transactions: the youngest of the cycle at once, another only when the one
 * that should have acted first has let some looks pass.
 */
public final class DeadlockDetector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadlockDetector.class);

  /** How often in a row a wait must have been seen to count. */
  private static final int ENOUGH = 2;

  /** How many looks each member of a cycle gets that another proxy would rather cancel. */
  static final int PATIENCE = 5;

  private static final Duration SHARD_PATIENCE = Duration.ofSeconds(5);

  private final TransactionDirectory directory;
  private final ShardMonitors monitors;
  private final BackgroundRunner runner;
  private final Runnable whenBroken;
  private final long ownProxy;

  /**
   * When {@link System#nanoTime} was 0, in microseconds since 1970. Read once: the start of a
   * transaction, which all proxies compare, must not change when the clock is set.
   */
  private final long nanoTimeZeroMicros =
      ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
          - TimeUnit.NANOSECONDS.toMicros(System.nanoTime());

  private final Set<LockWait.Identity> cancelled = new HashSet<>();

  /** In how many looks in a row each wait has been seen. */
  private Map<LockWait.Identity, Integer> looks = new HashMap<>();

  private Duration atLeast = Duration.ZERO;

  /**
   * @param shards in the order of their indexes
   * @param run the number of this run of the proxy, which no other run has
   * @param whenBroken runs once for each wait that is cancelled, on the thread that looks
   */
  public DeadlockDetector(
      List<ShardAccess> shards,
      TransactionDirectory directory,
      long run,
      Runnable whenBroken,
      BackgroundRunner runner) {
    this.runner = runner;
    this.directory = directory;
    this.whenBroken = whenBroken;
    this.monitors = new ShardMonitors(shards, SHARD_PATIENCE, runner);
    this.ownProxy = run;
  }

  /** Looks every interval from now on, at waits that last half of it at least. */
  public synchronized void start(Duration interval) {
    atLeast = interval.dividedBy(2);
    runner
        .task(
            "deadlocks",
            () -> {
              look();
              return interval;
            })
        .runWithin(interval);
  }

  /** Looks once, on the calling thread, and cancels the victims; returns how many. */
  public synchronized int look() {
    ShardMonitors.Answers seen = monitors.look(atLeast);
    List<WaitEdge> edges = edges(seen);
    Map<LockWait.Identity, Integer> before = looks;
    looks = new HashMap<>();
    edges.stream()
        .map(edge -> edge.lockWait().identity())
        .forEach(wait -> looks.putIfAbsent(wait, before.getOrDefault(wait, 0) + 1));
    cancelled.retainAll(looks.keySet());
    monitors.show(new WaitGraph(edges).partsBetween(ownProxy));
    List<List<WaitEdge>> deadlocks =
        new WaitGraph(edges.stream().filter(edge -> looks(edge) >= ENOUGH).toList())
            .deadlocks(
                ownProxy,
                cycle ->
                    cycle.stream().mapToInt(this::looks).min().orElse(0)
                        >= ENOUGH + PATIENCE * WaitGraph.othersBefore(cycle));
    return deadlocks.isEmpty() ? 0 : breakThem(deadlocks, edges);
  }

  private int looks(WaitEdge edge) {
    return looks.getOrDefault(edge.lockWait().identity(), 0);
  }

  /**
   * Who waits for whom. A wait may have been read before the directory was, and its process have
   * changed hands between: then it is over, and the shards, asked once more, do not have it.
   */
  private List<WaitEdge> edges(ShardMonitors.Answers seen) {
    if (seen.waits().isEmpty()) {
      return List.of();
    }
    Map<Backend, Party.PartyTransaction> byBackend = new HashMap<>();
    Map<String, Party.PartyTransaction> byGid = new HashMap<>();
    for (OpenTransaction open : directory.snapshot()) {
      long micros = nanoTimeZeroMicros + TimeUnit.NANOSECONDS.toMicros(open.startNanos());
      Party.PartyTransaction own = new Party.PartyTransaction(ownProxy, open.id(), micros);
      open.backends().forEach(backend -> byBackend.put(backend, own));
      if (!open.gid().isEmpty()) {
        byGid.put(open.gid(), own);
      }
    }
    Function<ServerTransaction, Party> party =
        part ->
            Optional.ofNullable(
                    part.isPrepared()
                        ? byGid.get(part.key())
                        : byBackend.get(new Backend(part.shard(), part.processId())))
                .or(() -> seen.shown(part))
                .<Party>map(whole -> whole)
                .orElseGet(() -> new Party.Stranger(part));
    return seen.waits().stream()
        .map(wait -> new WaitEdge(party.apply(wait.waiter()), party.apply(wait.holder()), wait))
        .toList();
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

  /** All present waits. Blocks. */
  public synchronized Waits waits() {
    ShardMonitors.Answers answers = monitors.look(Duration.ZERO);
    return new Waits(answers.waits(), answers.unreachable());
  }

  private int breakThem(List<List<WaitEdge>> deadlocks, List<WaitEdge> edges) {
    Set<LockWait.Identity> still =
        monitors.look(Duration.ZERO).waits().stream()
            .map(LockWait::identity)
            .collect(Collectors.toSet());
    int broken = 0;
    for (List<WaitEdge> cycle : deadlocks) {
      if (cycle.stream().allMatch(edge -> still.contains(edge.lockWait().identity()))) {
        cancel(cycle);
        broken++;
      }
      // What has just been cut must be seen anew before it is cut again.
      edges.stream()
          .filter(edge -> edge.waiter().equals(cycle.get(0).waiter()))
          .forEach(edge -> looks.remove(edge.lockWait().identity()));
    }
    return broken;
  }

  /** Again if the wait is still there some looks later; it is one broken deadlock all the same. */
  private void cancel(List<WaitEdge> cycle) {
    LockWait victim = cycle.get(0).lockWait();
    if (cycle.get(0).waiter() instanceof Party.PartyTransaction transaction) {
      List<String> lines = cycle.stream().map(edge -> describe(edge.lockWait())).toList();
      if (cancelled.add(victim.identity())) {
        LOG.info("deadlock over several shards: {}", String.join(" ", lines));
        whenBroken.run();
      }
      directory.cancel(
          transaction.id(),
          new Backend(victim.shard(), victim.waiter().processId()),
          String.join("\n", lines));
    }
  }

  /** As PostgreSQL's DeadLockReport does for one server, with the shard. */
  private String describe(LockWait wait) {
    ServerTransaction holder = wait.holder();
    return "Process %d of shard %s waits for %s; blocked by %s."
        .formatted(
            wait.waiter().processId(),
            monitors.shardName(wait.shard()),
            wait.lock(),
            holder.isPrepared()
                ? "prepared transaction " + holder.name()
                : "process " + holder.processId());
  }

  @Override
  public synchronized void close() {
    monitors.close();
  }
}
