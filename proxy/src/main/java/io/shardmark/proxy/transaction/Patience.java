package io.shardmark.proxy.transaction;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How long the ends of transactions may go without an answer: a link that swallows everything would
 * otherwise hold the client, and the locks of what is prepared, until the system gives the link up.
 * All ends of one event loop are looked at now and then, so that none costs a timer of its own.
 *
 * <p>Time is counted in looks, and the loop reads from its sockets between two of them: when this
 * process was held up for long, the answers that came meanwhile are still taken.
 */
public final class Patience {
  /** An end is late at the look after so many: a quarter of the time late at most. */
  static final int LOOKS = 4;

  /** An end whose answer is awaited: in a list of those of its loop. */
  public abstract static class Awaited {
    private int looks;
    private boolean listed;
    private @Nullable Awaited before;
    private @Nullable Awaited after;

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
  private @Nullable Awaited first;

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
    List<Awaited> late = new ArrayList<>();
    for (Awaited end = first; end != null; end = end.after) {
      if (end.isLate()) {
        late.add(end);
      }
    }
    try {
      late.forEach(Awaited::late);
    } finally {
      schedule();
    }
  }

  /** From now on; the whole time. */
  public void begin(Awaited end) {
    end.renew();
    if (end.listed) {
      return;
    }
    end.listed = true;
    end.after = first;
    if (first != null) {
      first.before = end;
    }
    first = end;
  }

  /** It has ended, or will not begin. */
  public void end(Awaited end) {
    if (!end.listed) {
      return;
    }
    end.listed = false;
    Awaited before = end.before;
    Awaited after = end.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after != null) {
      after.before = before;
    }
    end.before = null;
    end.after = null;
  }
}
