package io.shardmark.proxy.server;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.shardmark.proxy.metrics.LoopLag;
import java.util.concurrent.TimeUnit;

/**
 * A loop that sets no timer for what is far away. With io_uring each wait for the sockets would set
 * one anew and get its end as a further completion, and Netty always has one to set: without any
 * task it looks for some after a second. {@link LoopLag} wakes every loop often enough to find the
 * time near before it has come. One thread, as the handler that it stands before.
 */
final class NearTimers extends PassedOnIoHandler {
  /** Less than the second of Netty's, and more than it takes until the loop is woken. */
  private static final long NEAR_NANOS =
      TimeUnit.MILLISECONDS.toNanos(LoopLag.INTERVAL_MILLIS * 3 / 2);

  private static final long NONE = -1;

  NearTimers(IoHandler handler) {
    super(handler);
  }

  @Override
  public int run(IoHandlerContext context) {
    return handler.run(new Near(context));
  }

  /** Knows no deadlines that are far away. */
  private static final class Near extends PassedOnContext {
    Near(IoHandlerContext context) {
      super(context);
    }

    @Override
    public long deadlineNanos() {
      long deadline = context.deadlineNanos();
      return context.delayNanos(System.nanoTime()) > NEAR_NANOS ? NONE : deadline;
    }
  }
}
