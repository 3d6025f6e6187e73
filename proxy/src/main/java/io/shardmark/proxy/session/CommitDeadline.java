package io.shardmark.proxy.session;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long the steps of one commit may go without an answer: a link that swallows everything would
 * otherwise hold the client, and the locks of what is prepared, until the system gives the link up.
 * Belongs to the event loop.
 */
final class CommitDeadline {
  private final EventLoop loop;
  private final long limitNanos;
  private final Runnable late;
  private long lastStepNanos;
  private @Nullable Future<?> timer;

  /**
   * @param late runs when the limit has passed since the last step, and again each time it does
   */
  CommitDeadline(EventLoop loop, Duration limit, Runnable late) {
    this.loop = loop;
    this.limitNanos = limit.toNanos();
    this.late = late;
  }

  /** Begins, unless it has begun. */
  void begin() {
    if (timer == null) {
      extend();
    }
  }

  /** A step has been sent: it has the whole time. */
  void extend() {
    lastStepNanos = System.nanoTime();
    if (timer == null) {
      schedule(limitNanos);
    }
  }

  private void schedule(long nanos) {
    timer = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
  }

  private void look() {
    long left = lastStepNanos + limitNanos - System.nanoTime();
    if (left > 0) {
      schedule(left);
      return;
    }
    schedule(limitNanos);
    late.run();
  }

  /** The commit is over. */
  void end() {
    Future<?> running = timer;
    if (running != null) {
      running.cancel(false);
      timer = null;
    }
  }
}
