package io.shardmark.driver.adversity;

import io.shardmark.driver.results.Adversity;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Events and checks of one run. Used by the main thread.
 *
 * @param tallies of the run's transactions
 * @param events null if there are none
 * @param checker null if the data is not checked
 */
public record RunAdversity(
    SecondTallies tallies, @Nullable EventRunner events, @Nullable RollingChecker checker) {

  /** The interval has been set. */
  public void start() {
    if (events != null) {
      events.start();
    }
    if (checker != null) {
      checker.start();
    }
  }

  /** The interval is over: nothing new begins. */
  public void stop() {
    if (events != null) {
      events.stop();
    }
  }

  /**
   * Waits for what goes on.
   *
   * @param leftNanos how long there is to wait; a signal may shorten it meanwhile
   */
  public void end(LongSupplier leftNanos) throws InterruptedException {
    try {
      if (events != null) {
        events.end(leftNanos);
      }
    } finally {
      if (checker != null) {
        checker.end(leftNanos);
      }
    }
  }

  /** Whether a check has ended the run. */
  public boolean isInconsistent() {
    return checker != null && checker.isViolated();
  }

  /**
   * What became of them; after {@link #end}.
   *
   * @param intervalNanos how long the run was measured
   */
  public Adversity result(long intervalNanos) {
    return new Adversity(
        events == null ? List.of() : events.results(tallies, intervalNanos),
        checker == null ? null : checker.result(tallies, intervalNanos));
  }
}
