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
 *
 * <p>Time is counted in looks, and the loop reads from its sockets between two of them: when this
 * process was held up for long, the answers that came meanwhile are still taken.
 */
final class CommitDeadline {
  private final EventLoop loop;
  private final long betweenLooksNanos;
  private final Runnable late;
  private int looks;
  private @Nullable Future<?> timer;

  /**
   * @param late runs when the limit has passed since the last step, a quarter of it late at most,
   *     and again each time it does
   */
  CommitDeadline(EventLoop loop, Duration limit, Runnable late) {
    this.loop = loop;
    this.betweenLooksNanos = Math.max(1, limit.toNanos() / SilentEnds.LOOKS);
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
    looks = 0;
    if (timer == null) {
      schedule();
    }
  }

  private void schedule() {
    timer = loop.schedule(this::look, betweenLooksNanos, TimeUnit.NANOSECONDS);
  }

  private void look() {
    schedule();
    // The first may have come right after the step.
    if (looks++ == SilentEnds.LOOKS) {
      looks = 1; // from this look on
      late.run();
    }
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
