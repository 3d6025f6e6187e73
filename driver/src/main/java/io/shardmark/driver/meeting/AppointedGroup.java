package io.shardmark.driver.meeting;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Drivers that do not meet: each starts at an instant that all have in their properties, by its
 * machine's clock. Whether they fit together shows when their results are merged. Each ends alone
 * on its own signal.
 */
public final class AppointedGroup implements DriverGroup {
  private final DriversConfig config;
  private final Instant appointed;
  private final GroupTerms terms;
  private volatile @Nullable LongConsumer onStop;
  private volatile boolean stopped;

  /**
   * @param appointed when the terminals start
   * @param terms that follow from the properties; all drivers must come to the same
   */
  public AppointedGroup(DriversConfig config, Instant appointed, GroupTerms terms) {
    this.config = config;
    this.appointed = appointed;
    this.terms = terms;
  }

  @Override
  public GroupTerms terms() {
    return terms;
  }

  @Override
  public void onStop(LongConsumer end) {
    onStop = end;
  }

  @Override
  public StartInstant awaitStart() {
    Duration left = Duration.between(Instant.now(), appointed);
    if (left.isNegative() || left.isZero()) {
      throw new ConfigException(
          "startAt=%s: driver %d was ready %.1f s later; expected an instant that all drivers can keep"
              .formatted(appointed, config.index(), -left.toNanos() / 1e9));
    }
    return new StartInstant(System.nanoTime() + left.toNanos(), 0);
  }

  @Override
  public void awaitInstant(StartInstant instant) throws InterruptedException {
    long left = instant.nanos() - System.nanoTime();
    synchronized (this) {
      while (left > 0 && !stopped) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = instant.nanos() - System.nanoTime();
      }
    }
    if (left > 0) {
      throw new ConfigException("the run was ended before its start");
    }
  }

  @Override
  public synchronized void requestStop(String reason) {
    LongConsumer end = onStop;
    if (!stopped && end != null) {
      end.accept(System.nanoTime());
    }
    stopped = true;
    notifyAll();
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }
}
