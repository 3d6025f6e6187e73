package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.CannotGoOnException;
import io.shardmark.driver.results.Fault;
import io.shardmark.driver.results.ObserverNote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong in the driver itself while it made a run. The fault of a thread without which the
 * figures would be wrong ends the run as aborted; that of one that only watches is noted, as its
 * figures are missing from there on. Safe on any thread.
 */
public final class RunFaults {
  private static final int MOST_NOTES = 100;
  private static final int MOST_FRAMES = 12;

  private final long startNanos = System.nanoTime();
  private final AtomicReference<@Nullable RaisedFault> aborting = new AtomicReference<>();
  private final List<ObserverNote> notes = new ArrayList<>();
  private final Runnable endRun;
  private final Consumer<String> errors;
  private final Consumer<String> warnings;

  /** The fault as it was raised; put into words later, when there may be memory again. */
  private record RaisedFault(String thread, Throwable cause, long nanos) {}

  /**
   * @param endRun called once, by the first fault that ends the run: must be quick
   * @param errors receives one line by that fault
   * @param warnings receives one line by each note of an observer
   */
  public RunFaults(Runnable endRun, Consumer<String> errors, Consumer<String> warnings) {
    this.endRun = endRun;
    this.errors = errors;
    this.warnings = warnings;
  }

  /**
   * A thread without which the run's figures would be wrong, not started yet. Whatever ends it
   * before its time ends the run.
   */
  public Thread essential(String name, Runnable body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (Throwable cause) { // top of a thread
                abort(name, cause);
              }
            },
            name);
    thread.setDaemon(true);
    return thread;
  }

  /** A fault that leaves no honest figures: ends the run. */
  public void abort(String thread, Throwable cause) {
    if (!aborting.compareAndSet(null, new RaisedFault(thread, cause, System.nanoTime()))) {
      return; // what follows from the first fault says nothing new
    }
    endRun.run();
    fault().ifPresent(fault -> errors.accept("the run is aborted: " + fault.sentence()));
  }

  /** True if a fault has ended the run, or is about to. */
  public boolean isAborted() {
    return aborting.get() != null;
  }

  /** What ended the run; empty if nothing did. */
  public Optional<Fault> fault() {
    return Optional.ofNullable(aborting.get())
        .map(
            raised ->
                new Fault(
                    raised.thread, text(raised.cause), since(raised.nanos), trace(raised.cause)));
  }

  private static String text(Throwable cause) {
    String text = cause instanceof CannotGoOnException ? cause.getMessage() : cause.toString();
    return String.valueOf(text).lines().findFirst().orElse("");
  }

  private static List<String> trace(Throwable cause) {
    if (cause instanceof CannotGoOnException) {
      return List.of(); // its message says all that the user needs
    }
    List<String> trace = new ArrayList<>();
    Arrays.stream(cause.getStackTrace())
        .limit(MOST_FRAMES)
        .map(String::valueOf)
        .forEach(trace::add);
    for (Throwable inner = cause.getCause(); inner != null; inner = inner.getCause()) {
      trace.add("caused by " + text(inner));
      Arrays.stream(inner.getStackTrace()).limit(2).map(String::valueOf).forEach(trace::add);
      if (trace.size() > 2 * MOST_FRAMES) {
        break;
      }
    }
    return trace;
  }

  /** Seconds since the session began, in whole milliseconds. */
  private double since(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanos - startNanos)) / 1e3;
  }

  /** An observer's figures are missing, or come again. The run goes on. */
  public void note(String text) {
    synchronized (this) {
      if (notes.size() < MOST_NOTES) {
        notes.add(new ObserverNote(text, since(System.nanoTime())));
      }
    }
    warnings.accept(text);
  }

  /** What observers missed, in order. */
  public synchronized List<ObserverNote> notes() {
    return List.copyOf(notes);
  }
}
