package io.shardmark.driver.replication;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.measure.ObserverThread;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Looks many times a second at how far the standby lags, and counts the statements that both
 * servers show: at both ends of the interval, once a second between them, and until the standby has
 * all after it. A daemon thread does the work.
 */
final class StandbyFollower implements Follower {
  /** Between two looks at a server that does not answer, or when there is nothing to look at. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long STOPPED_MILLIS = 100;

  /** Of the interval: a rate over more or less of it is that of another one. */
  private static final double LATE_PART = 0.1;

  private static final String OBSERVER = "standby";

  private final StandbyLink link;
  private final Duration patience;
  private final CountDownLatch restDone = new CountDownLatch(1);
  private final ObserverThread thread;
  private volatile boolean stopped;
  private volatile Map<String, Double> recent = Map.of();
  private volatile Map<String, Double> figures = Map.of();
  private volatile long lastEndNanos;
  private volatile Consumer<String> notes = line -> {};

  // Only the thread touches these.
  private final LagTracker lag = new LagTracker();
  private long beginNanos;
  private Optional<ReplicationFigures.ReplicationCounts> begin = Optional.empty();
  private Optional<ReplicationFigures.ReplicationCounts> end = Optional.empty();
  private Optional<ReplicationFigures.ReplicatedCount> previous = Optional.empty();
  private boolean ended;
  private boolean lost;
  private boolean stalled;
  private long nextCount = System.nanoTime();

  /**
   * @param link closed by this
   */
  StandbyFollower(StandbyLink link, Duration patience) {
    this.link = link;
    this.patience = patience;
    thread =
        new ObserverThread(OBSERVER, OBSERVER, line -> notes.accept(line), this::round, this::end);
  }

  @Override
  public void start(Consumer<String> receiver) {
    notes = receiver;
    thread.start();
  }

  @Override
  public void beginInterval(long startNanos) {
    thread.execute(
        () -> {
          beginNanos = startNanos;
          begin = count();
          lag.restart();
          look();
        });
  }

  @Override
  public void endInterval() {
    long asked = System.nanoTime();
    thread.execute(
        () -> {
          look();
          lag.end(System.nanoTime());
          ended = true;
          end = count();
          forgetLateCounts(asked - beginNanos);
          publish(Optional.empty(), 0);
        });
  }

  @Override
  public void awaitRest(BooleanSupplier isStopped) throws InterruptedException {
    lastEndNanos = System.nanoTime();
    thread.execute(
        () -> {
          rest();
          restDone.countDown();
        });
    while (!restDone.await(STOPPED_MILLIS, TimeUnit.MILLISECONDS)) {
      stopped |= isStopped.getAsBoolean();
    }
  }

  @Override
  public Map<String, Double> recent() {
    return recent;
  }

  @Override
  public Map<String, Double> figures() {
    return figures;
  }

  @Override
  public void close() {
    stopped = true;
    thread.close();
    if (thread.isAlive()) {
      try {
        link.abort();
      } catch (SQLException e) {
        notes.accept(OBSERVER + ": the connection cannot be aborted: " + e.getMessage());
      }
    }
  }

  private void end() {
    link.close();
    restDone.countDown();
  }

  private long round() {
    look();
    return lost || ended ? IDLE_NANOS : lag.restNanos(System.nanoTime());
  }

  private void look() {
    if (ended) {
      return;
    }
    try {
      boolean answers = true;
      if (lag.isNoteDue(System.nanoTime())) {
        answers = seeApplied();
        long written = link.written();
        lag.written(System.nanoTime(), written);
      }
      if (answers && seeApplied()) {
        if (lost) {
          lost = false;
          notes.accept(OBSERVER + ": answers again");
        }
        countNowAndThen();
      }
    } catch (SQLException | ConfigException e) {
      failed(e);
    }
    noteIfStalled();
  }

  /** False if it could not be asked: its lag grows from where it was last seen. */
  private boolean seeApplied() {
    try {
      long applied = link.applied();
      lag.applied(System.nanoTime(), applied);
      return true;
    } catch (SQLException | ConfigException e) {
      failed(e);
      return false;
    }
  }

  private void noteIfStalled() {
    long lagNanos = lag.behindNanos(System.nanoTime());
    if (!stalled && lagNanos > STALLED_NANOS) {
      stalled = true;
      notes.accept(
          "%s: lags the primary by %.0f s; the run goes on, the standby's log may say why"
              .formatted(OBSERVER, lagNanos / 1e9));
    }
  }

  /** Not while a note waits, whose time would be longer by that of the count. */
  private void countNowAndThen() throws SQLException {
    long overdue = System.nanoTime() - nextCount;
    if (overdue < 0 || (lag.isWaiting() && overdue < COUNT_NANOS)) {
      return;
    }
    Map<String, Double> now = new HashMap<>();
    now.put("standby_lag_bytes", (double) lag.behindBytes());
    now.put("standby_lag_ms", lag.behindNanos(System.nanoTime()) / 1e6);
    if (link.countsCheaply()) {
      ReplicationFigures.ReplicatedCount shown = link.shown();
      now.put("standby_applied", previous.map(before -> before.perSecondTo(shown)).orElse(0.0));
      previous = Optional.of(shown);
    }
    recent = now;
    nextCount = System.nanoTime() + COUNT_NANOS;
  }

  private Optional<ReplicationFigures.ReplicationCounts> count() {
    try {
      return Optional.of(link.counts());
    } catch (SQLException | ConfigException e) {
      failed(e);
      return Optional.empty();
    }
  }

  /**
   * Forgets both counts, with a note, if they were taken so late that what lies between them is not
   * the interval: on a machine without a free processor, or of a server that takes seconds to
   * answer.
   */
  private void forgetLateCounts(long intervalNanos) {
    if (begin.isEmpty() || end.isEmpty()) {
      return;
    }
    long counted = end.get().standby().nanos() - begin.get().standby().nanos();
    if (Math.abs(counted - intervalNanos) > LATE_PART * intervalNanos) {
      begin = Optional.empty();
      end = Optional.empty();
      notes.accept(
          "%s: its counts are %.1f s apart, the interval was %.1f s; what it applied is not shown"
              .formatted(OBSERVER, counted / 1e9, intervalNanos / 1e9));
    }
  }

  private void failed(Exception cause) {
    link.reset();
    if (!lost) {
      lost = true;
      notes.accept(
          "%s: cannot be observed until it answers again: %s"
              .formatted(OBSERVER, FirstLine.of(cause)));
    }
  }

  /** Until the standby shows as much as the primary. */
  private void rest() {
    long deadline = lastEndNanos + patience.toNanos();
    Optional<ReplicationFigures.ReplicatedCount> all = Optional.empty();
    long missing = -1;
    while (!stopped && System.nanoTime() - deadline < 0) {
      try {
        ReplicationFigures.ReplicatedCount committed =
            all.isPresent() ? all.get() : link.committed();
        all = Optional.of(committed);
        ReplicationFigures.ReplicatedCount shown = link.shown();
        missing = committed.statements() - shown.statements();
        if (missing == 0) {
          publish(Optional.of(shown), shown.nanos() - lastEndNanos);
          return;
        }
      } catch (SQLException | ConfigException e) {
        failed(e);
      }
      LockSupport.parkNanos(REST_NANOS);
    }
    notes.accept(
        "%s: had not applied all %.0f s after the last transaction: %s; look at the server's log, or set drainSecs"
            .formatted(
                OBSERVER,
                (System.nanoTime() - lastEndNanos) / 1e9,
                missing < 0 ? "it cannot be asked" : missing + " statements were missing"));
  }

  private void publish(Optional<ReplicationFigures.ReplicatedCount> drained, long drainNanos) {
    figures = ReplicationFigures.of(begin, end, lag, drained, drainNanos);
  }
}
