package io.shardmark.proxy.transaction;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How long the ends of transactions may go without an answer: a link that swallows everything would
 * otherwise hold the client, and the locks of what is prepared, until the system gives the link up.
 * All ends of one event loop are looked at now and then, so that none costs a timer.
 *
 * <p>Time is counted in looks, and the loop reads from its sockets between two of them: when this
 * process was held up for long, the answers that came meanwhile are still taken.
 */
public final class Patience {
  /** An end is late at the look after so many: a quarter of the time late at most. */
  static final int LOOKS = 4;

  /** An end whose answer is awaited. */
  public abstract static class Awaited {
    private int looks;

    /** Whether the end is what is waited for, not something that was asked before it. */
    protected abstract boolean isAwaited();

    /** The limit has passed without an answer: gives up the connections that owe one. */
    protected abstract void late();

    /** Something has been sent: it has the whole time. */
    final void renew() {
      looks = 0;
    }

    private boolean isLate() {
      // The first look may come right after what was sent.
      if (!isAwaited() || looks++ < LOOKS) {
        return false;
      }
      looks = 1; // from this look on
      return true;
    }
  }

  private final EventLoop loop;
  private final Supplier<Duration> limit;
  private final Set<Awaited> ends = new HashSet<>();

  /**
   * Looks as long as the loop lives.
   *
   * @param limit the current commit_timeout
   */
  public Patience(EventLoop loop, Supplier<Duration> limit) {
    this.loop = loop;
    this.limit = limit;
    schedule();
  }

  private void schedule() {
    if (!loop.isShuttingDown()) {
      long betweenNanos = Math.max(1, limit.get().toNanos() / LOOKS);
      var unused = loop.schedule(this::look, betweenNanos, TimeUnit.NANOSECONDS);
    }
  }

  private void look() {
    try {
      ends.stream().filter(Awaited::isLate).toList().forEach(Awaited::late);
    } finally {
      schedule();
    }
  }

  /** From now on; the whole time. */
  public void begin(Awaited end) {
    end.renew();
    ends.add(end);
  }

  /** It has ended, or will not begin. */
  public void end(Awaited end) {
    ends.remove(end);
  }
}
