package io.shardmark.proxy;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.pollinterval.IterativePollInterval;

/** Waits for what other threads, processes and servers bring about. */
public final class Await {
  /** So long that a machine with too much to do gets there. */
  public static final int LIMIT_SECONDS = 60;

  /** What is looked at takes time from those that are waited for. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  private Await() {}

  private static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(Duration.ofSeconds(LIMIT_SECONDS))
        .pollDelay(Duration.ZERO)
        .pollInterval(
            IterativePollInterval.iterative(
                last -> last.compareTo(LONGEST_PAUSE) < 0 ? last.multipliedBy(2) : last,
                Duration.ofMillis(5)))
        .pollInSameThread()
        .dontCatchUncaughtExceptions();
  }

  /** Looks again and again until it is so. */
  public static void until(String what, Callable<Boolean> isSo) {
    await(what).until(isSo);
  }

  /** The same; whoever waits in vain is told this too. */
  public static void until(String what, Supplier<?> details, Callable<Boolean> isSo) {
    try {
      until(what, isSo);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + ' ' + details.get(), e);
    }
  }

  /** Looks again and again until what is seen is as wanted, which it gives. */
  public static <T> T value(String what, Callable<T> look, Predicate<? super T> wanted) {
    return await(what).until(look, wanted);
  }

  /** What comes of it, or why nothing does. */
  public static <T> T result(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
