package io.shardmark.driver.adversity;

import io.shardmark.config.FirstLine;
import io.shardmark.config.PlannedEvent;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.results.EventResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Carries out the events of a run, each on its own thread. Whatever becomes of one, the run goes on
 * and the next one comes. Used by the main thread.
 */
public final class EventRunner {
  /** The interval may begin later than was planned. */
  private static final long LOOK_MILLIS = 100;

  /** A server that was killed must have time to start again. */
  private static final long PATIENCE_MILLIS = 60_000;

  /** What is given up ends at once, if it can. */
  private static final long LAST_MILLIS = 3_000;

  private static final double NOT_ENDED = -1;

  private final Map<PlannedEvent, EventAction> actions = new LinkedHashMap<>();
  private final IntervalInForce interval;
  private final Consumer<String> notes;
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final Map<PlannedEvent, EventRecord> records = new HashMap<>();
  private long stopNanos;

  /**
   * @param interval whose start the events' times count from
   * @param notes receives one line for each event that begins, and for each that fails
   * @throws io.shardmark.config.ConfigException if an event cannot be carried out here
   */
  public EventRunner(
      List<PlannedEvent> events,
      EventTarget target,
      IntervalInForce interval,
      Consumer<String> notes) {
    this.interval = interval;
    this.notes = notes;
    events.forEach(event -> actions.put(event, EventCommand.of(event, target)));
  }

  /**
   * Checks what can be checked before the database is there.
   *
   * @throws io.shardmark.config.ConfigException if a built-in command is unknown
   */
  public static void check(List<PlannedEvent> events) {
    events.forEach(EventCommand::check);
  }

  /** The interval has been set: from its start on the events come. */
  public void start() {
    actions.forEach(
        (event, action) -> {
          Thread thread = new Thread(() -> await(event, action), "event " + event.label());
          thread.setDaemon(true);
          thread.start();
          threads.add(thread);
        });
  }

  private void await(PlannedEvent event, EventAction action) {
    try {
      long left = untilBegin(event);
      while (left > 0) {
        long wait = Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        if (over.await(wait, TimeUnit.NANOSECONDS)) {
          return;
        }
        left = untilBegin(event);
      }
      carryOut(event, action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long untilBegin(PlannedEvent event) {
    return interval.interval().startNanos() + event.at().toNanos() - System.nanoTime();
  }

  private void carryOut(PlannedEvent event, EventAction action) {
    double from = elapsedSeconds();
    record(new EventRecord(event, from, NOT_ENDED, "did not end though it was stopped"));
    String outcome;
    try {
      outcome = action.run();
    } catch (Throwable e) { // top of a thread
      outcome = over.getCount() == 0 ? "" : FirstLine.of(e);
    }
    if (over.getCount() == 0) {
      outcome = "did not end before the run did; stopped";
    }
    record(new EventRecord(event, from, elapsedSeconds(), outcome));
    if (!outcome.isEmpty()) {
      notes.accept("event '%s': %s".formatted(event.label(), outcome));
    }
  }

  private void record(EventRecord now) {
    synchronized (records) {
      records.put(now.event(), now);
    }
  }

  private double elapsedSeconds() {
    return (System.nanoTime() - interval.interval().startNanos()) / 1e9;
  }

  /** No event begins any more; those that go on end soon. */
  public void stop() {
    if (over.getCount() > 0) {
      stopNanos = System.nanoTime();
      over.countDown();
    }
    actions.values().forEach(EventAction::cancel);
  }

  /**
   * Waits until those that go on have ended; what does not end in time is given up.
   *
   * @param leftNanos how long there is to wait for them; a signal may shorten it meanwhile
   */
  public void end(LongSupplier leftNanos) throws InterruptedException {
    stop();
    await(
        () ->
            Math.min(
                leftNanos.getAsLong(),
                stopNanos + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS) - System.nanoTime()));
    actions.values().forEach(EventAction::abandon);
    long abandoned = System.nanoTime();
    await(() -> abandoned + TimeUnit.MILLISECONDS.toNanos(LAST_MILLIS) - System.nanoTime());
    threads.stream()
        .filter(Thread::isAlive)
        .forEach(thread -> notes.accept(thread.getName() + ": did not end with the run"));
    threads.clear();
  }

  private void await(LongSupplier leftNanos) throws InterruptedException {
    for (Thread thread : threads) {
      while (thread.isAlive() && leftNanos.getAsLong() > 0) {
        thread.join(LOOK_MILLIS);
      }
    }
  }

  /**
   * What they did to the run, in the order in which they began; after {@link #end}.
   *
   * @param intervalNanos how long the run was measured
   */
  public List<EventResult> results(SecondTallies tallies, long intervalNanos) {
    synchronized (records) {
      List<EventRecord> begun =
          records.values().stream()
              .map(one -> one.toSeconds() == NOT_ENDED ? one.until(intervalNanos / 1e9) : one)
              .sorted(Comparator.comparingDouble(EventRecord::fromSeconds))
              .toList();
      return EventEffects.of(begun, tallies.of(intervalNanos));
    }
  }
}
