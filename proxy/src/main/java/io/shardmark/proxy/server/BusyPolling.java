package io.shardmark.proxy.server;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import java.time.Duration;

/**
 * A loop that goes on looking at its sockets for a while before it lets the kernel put its thread
 * to sleep. The answer of a server that comes within that time meets a thread that is awake: its
 * latency lacks the time in which a processor is woken. The price is a processor that works while
 * there is nothing to do. One thread, as the handler that it stands before.
 */
final class BusyPolling extends PassedOnIoHandler {
  private final long nanos;

  /**
   * @param handler does the work
   * @param time how long to look for more since something happened last
   */
  BusyPolling(IoHandler handler, Duration time) {
    super(handler);
    this.nanos = time.toNanos();
  }

  @Override
  public int run(IoHandlerContext context) {
    if (!context.canBlock()) {
      return handler.run(context);
    }
    PollContext poll = new PollContext(context);
    long began = System.nanoTime();
    long most = Math.min(nanos, context.delayNanos(began));
    do {
      int handled = handler.run(poll);
      if (handled > 0 || !context.canBlock()) {
        return handled;
      }
      Thread.onSpinWait();
    } while (System.nanoTime() - began < most);
    return handler.run(context);
  }

  /** Handles what there is and does not wait for more. */
  private static final class PollContext extends PassedOnContext {
    PollContext(IoHandlerContext context) {
      super(context);
    }

    @Override
    public boolean canBlock() {
      return false;
    }
  }
}
