package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.recovery.ShardAccess;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for deadlocks over several shards and breaks them. Thread-safe; looks in the background.
 *
 * <p>The shards answer one after the other, so one look can show waits that never were there
 * together. So only waits that two looks in a row have seen count, and before a transaction is
 * cancelled the shards are asked once more whether its cycle still is there.
 *
 * <p>Where transactions of other proxies may be in a cycle too, the proxies tell each other which
 * waits belong together ({@link Announcement}). Each then finds the cycle by itself and cancels
 * only transactions of its own: the youngest of the cycle at once, another only when whoever should
 * have acted first has let some looks pass.
 */
public final class DeadlockDetector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadlockDetector.class);

  /** How many looks each member of a cycle gets that another proxy would rather cancel. */
  static final int PATIENCE = 5;

  private static final Duration SHARD_PATIENCE = Duration.ofSeconds(5);

  private final TransactionDirectory directory;
  private final ShardMonitors monitors;
  private final BackgroundRunner runner;
  private final Runnable whenBroken;
  private final long ownProxy;
  private final Announcements announcements;

  /**
   * When {@link System#nanoTime} was 0, in microseconds since 1970. Read once: the start of a
   * transaction, which all proxies compare, must not change when the clock is set.
   */
  private final long nanoTimeZeroMicros =
      ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
          - TimeUnit.NANOSECONDS.toMicros(System.nanoTime());

  private final Set<WaitEdge.Wait> cancelled = new HashSet<>();
  private PollRound last = new PollRound();
  private Duration atLeast = Duration.ZERO;
  private boolean listening;

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
    this.announcements = new Announcements(run, shards.stream().map(ShardAccess::name).toList());
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
    List<LockWait> waits = new ArrayList<>();
    List<String> heard = new ArrayList<>();
    for (ShardMonitor.Seen seen : read(atLeast).byShard().values()) {
      waits.addAll(seen.waits());
      heard.addAll(seen.heard());
    }
    announcements.hear(heard);
    announcements.keep(waits);
    if (waits.isEmpty()) {
      last = new PollRound();
      cancelled.clear();
      listen(false);
      return 0;
    }
    return judge(waits, directory.snapshot());
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
    ShardMonitors.Answers<ShardMonitor.Seen> answers = read(Duration.ZERO);
    List<LockWait> found = new ArrayList<>();
    answers.byShard().values().forEach(seen -> found.addAll(seen.waits()));
    return new Waits(found, answers.unreachable());
  }

  private ShardMonitors.Answers<ShardMonitor.Seen> read(Duration shortest) {
    return monitors.askAll(monitor -> monitor.look(shortest));
  }

  private void listen(boolean wanted) {
    if (wanted || listening) {
      // A shard that cannot be reached now is reached by the next round, or has lost its
      // connection.
      monitors.askAll(monitor -> monitor.listen(wanted));
      listening = wanted;
    }
  }

  private int judge(List<LockWait> found, List<OpenTransaction> transactions) {
    Ages ages = ages(transactions);
    PollRound round = new PollRound(found, Parties.of(ownProxy, announcements, transactions), last);
    last = round;
    cancelled.retainAll(found.stream().map(LockWait::identity).toList());
    announce(round, ages);
    List<List<WaitEdge>> deadlocks = round.deadlocks(ages, PATIENCE);
    if (deadlocks.isEmpty()) {
      return 0;
    }
    Set<WaitEdge.Wait> still = new HashSet<>();
    for (ShardMonitor.Seen seen : read(Duration.ZERO).byShard().values()) {
      announcements.hear(seen.heard());
      seen.waits().forEach(wait -> still.add(wait.identity()));
    }
    int broken = 0;
    for (List<WaitEdge> cycle : deadlocks) {
      if (cycle.stream().allMatch(edge -> still.contains(edge.identity()))) {
        cancel(cycle, round);
        broken++;
      }
      round.forget(cycle.get(0).waiter());
    }
    return broken;
  }

  private Ages ages(List<OpenTransaction> transactions) {
    Map<Party.Transaction, Long> starts = announcements.starts();
    for (OpenTransaction one : transactions) {
      starts.put(
          new Party.Transaction(ownProxy, one.id()),
          nanoTimeZeroMicros + TimeUnit.NANOSECONDS.toMicros(one.startNanos()));
    }
    return new Ages(starts, ownProxy);
  }

  /** Nothing is said or listened to as long as no other proxy's transaction can be concerned. */
  private void announce(PollRound round, Ages ages) {
    Set<Party.Transaction> concerned = round.concerned(ownProxy);
    listen(!concerned.isEmpty());
    Map<Integer, ShardMonitors.Question<Integer>> said = new HashMap<>();
    round
        .announcements(concerned, ages, announcements::name)
        .forEach((shard, messages) -> said.put(shard, monitor -> monitor.say(messages)));
    monitors.ask(said);
  }

  /** Again if the wait is still there some looks later; it is one broken deadlock all the same. */
  private void cancel(List<WaitEdge> cycle, PollRound round) {
    WaitEdge victim = cycle.get(0);
    if (victim.waiter() instanceof Party.Transaction transaction) {
      List<String> lines = cycle.stream().map(edge -> describe(round.behind(edge))).toList();
      if (cancelled.add(victim.identity())) {
        LOG.info("deadlock over several shards: {}", String.join(" ", lines));
        whenBroken.run();
      }
      ServerTransaction waiting = victim.identity().waiting();
      directory.cancel(
          transaction.id(),
          new Backend(waiting.shard(), waiting.processId()),
          String.join("\n", lines));
    }
  }

  /** As PostgreSQL's DeadLockReport does for one server, with the shard. */
  private String describe(LockWait wait) {
    LockWait.Blocker blocker = wait.blocker();
    return "Process %d of shard %s waits for %s; blocked by %s."
        .formatted(
            wait.processId(),
            monitors.shardName(wait.shard()),
            wait.lock(),
            blocker.processId() == 0
                ? "prepared transaction " + blocker.preparedName()
                : "process " + blocker.processId());
  }

  @Override
  public synchronized void close() {
    monitors.close();
  }
}
