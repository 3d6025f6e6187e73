package io.shardmark.driver.replication;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.replication.ReplicationFigures.Count;
import io.shardmark.driver.replication.ReplicationFigures.Counts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks many times a second at how far the standby is behind, and counts the statements that both
 * servers show: at both ends of the interval, once a second between them, and until the standby has
 * all after it. A daemon thread does the work.
 */
final class StandbyFollower implements Follower {
  /** Between two looks at a server that does not answer, or when there is nothing to look at. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(5);
  private static final long STOPPED_MILLIS = 100;
  private static final String OBSERVER = "standby";

  private enum Mark {
    BEGIN,
    END,
    REST,
    CLOSE
  }

  private final StandbyLink link;
  private final Duration patience;
  private final BlockingQueue<Mark> marks = new LinkedBlockingQueue<>();
  private final CountDownLatch restDone = new CountDownLatch(1);
  private volatile boolean stopped;
  private volatile Map<String, Double> recent = Map.of();
  private volatile Map<String, Double> figures = Map.of();
  private volatile long lastEndNanos;
  private Consumer<String> notes = line -> {};
  private @Nullable Thread thread;

  // Only the thread touches these.
  private final LagTracker lag = new LagTracker();
  private Optional<Counts> begin = Optional.empty();
  private Optional<Counts> end = Optional.empty();
  private Optional<Count> previous = Optional.empty();
  private boolean ended;
  private boolean lost;
  private boolean stalled;
  private long nextCount = System.nanoTime();

  /**
   * @param link closed by this
   * @param patience how long to wait for the rest
   */
  StandbyFollower(StandbyLink link, Duration patience) {
    this.link = link;
    this.patience = patience;
  }

  @Override
  public void start(Consumer<String> receiver) {
    notes = receiver;
    Thread started = RunFaults.observer(OBSERVER, OBSERVER, receiver, this::follow);
    thread = started;
    started.start();
  }

  @Override
  public void beginInterval() {
    marks.add(Mark.BEGIN);
  }

  @Override
  public void endInterval() {
    marks.add(Mark.END);
  }

  @Override
  public void awaitRest(BooleanSupplier isStopped) throws InterruptedException {
    lastEndNanos = System.nanoTime();
    marks.add(Mark.REST);
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
    marks.add(Mark.CLOSE);
    try {
      if (thread != null) {
        thread.join(CLOSE_MILLIS);
        if (thread.isAlive()) {
          link.abort();
        }
      } else {
        link.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException e) {
      notes.accept(OBSERVER + ": the connection cannot be aborted: " + e.getMessage());
    }
  }

  private void follow() {
    try (link) {
      Mark mark = null;
      while (mark != Mark.CLOSE) {
        long rest = lost || ended ? IDLE_NANOS : lag.restNanos(System.nanoTime());
        mark = marks.poll(rest, TimeUnit.NANOSECONDS);
        take(mark);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      restDone.countDown();
    }
  }

  private void take(@Nullable Mark mark) throws InterruptedException {
    if (mark == null) {
      look();
      return;
    }
    switch (mark) {
      case BEGIN -> {
        begin = count();
        lag.restart();
        look();
      }
      case END -> {
        look();
        lag.end(System.nanoTime());
        ended = true;
        end = count();
        publish(Optional.empty(), 0);
      }
      case REST -> {
        rest();
        restDone.countDown();
      }
      case CLOSE -> {}
    }
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

  /** False if it could not be asked: it falls behind from where it was last seen. */
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
    long behind = lag.behindNanos(System.nanoTime());
    if (!stalled && behind > STALLED_NANOS) {
      stalled = true;
      notes.accept(
          "%s: is %.0f s behind the primary; the run goes on, the standby's log may say why"
              .formatted(OBSERVER, behind / 1e9));
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
      Count shown = link.shown();
      now.put("standby_applied", previous.map(before -> before.perSecondTo(shown)).orElse(0.0));
      previous = Optional.of(shown);
    }
    recent = now;
    nextCount = System.nanoTime() + COUNT_NANOS;
  }

  private Optional<Counts> count() {
    try {
      return Optional.of(link.counts());
    } catch (SQLException | ConfigException e) {
      failed(e);
      return Optional.empty();
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
  private void rest() throws InterruptedException {
    long deadline = lastEndNanos + patience.toNanos();
    Optional<Count> all = Optional.empty();
    long missing = -1;
    while (!stopped && System.nanoTime() - deadline < 0) {
      try {
        Count committed = all.isPresent() ? all.get() : link.committed();
        all = Optional.of(committed);
        Count shown = link.shown();
        missing = committed.statements() - shown.statements();
        if (missing == 0) {
          publish(Optional.of(shown), shown.nanos() - lastEndNanos);
          return;
        }
      } catch (SQLException | ConfigException e) {
        failed(e);
      }
      if (marks.poll(REST_NANOS, TimeUnit.NANOSECONDS) == Mark.CLOSE) {
        marks.add(Mark.CLOSE); // for the loop that has called this
        break;
      }
    }
    notes.accept(
        "%s: had not applied all %.0f s after the last transaction: %s; look at the server's log, or set drainSecs"
            .formatted(
                OBSERVER,
                (System.nanoTime() - lastEndNanos) / 1e9,
                missing < 0 ? "it cannot be asked" : missing + " statements were missing"));
  }

  private void publish(Optional<Count> drained, long drainNanos) {
    figures = ReplicationFigures.of(begin, end, lag, drained, drainNanos);
  }
}
