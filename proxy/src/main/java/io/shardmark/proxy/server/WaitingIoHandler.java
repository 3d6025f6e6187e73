package io.shardmark.proxy.server;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.shardmark.proxy.metrics.LoopLag;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Decides how a loop waits for its sockets; another handler does all the rest. One thread, as that
 * one.
 *
 * <p>It sets no timer for what is far away. With io_uring each wait would set one anew and get its
 * end as a further completion, and Netty always has one to set: without any task it looks for some
 * after a second. {@link LoopLag} wakes every loop often enough to find the time near before it has
 * come.
 *
 * <p>With a time to poll it goes on looking at its sockets for so long before it lets the kernel
 * put its thread to sleep. The answer of a server that comes within that time meets a thread that
 * is awake: its latency lacks the time in which a processor is woken. The price is a processor that
 * works while there is nothing to do.
 */
final class WaitingIoHandler implements IoHandler {
  /** Less than the second of Netty's, and more than it takes until the loop is woken. */
  private static final long NEAR_NANOS =
      TimeUnit.MILLISECONDS.toNanos(LoopLag.INTERVAL_MILLIS * 3 / 2);

  private static final long NONE = -1;

  private final IoHandler handler;
  private final long pollNanos;

  /**
   * @param handler does the work
   * @param poll how long to look for more since something happened last; may be 0
   */
  WaitingIoHandler(IoHandler handler, Duration poll) {
    this.handler = handler;
    this.pollNanos = poll.toNanos();
  }

  @Override
  public int run(IoHandlerContext context) {
    if (pollNanos > 0 && context.canBlock()) {
      IoHandlerContext look = new Context(context, false);
      long began = System.nanoTime();
      long most = Math.min(pollNanos, context.delayNanos(began));
      do {
        int handled = handler.run(look);
        if (handled > 0 || !context.canBlock()) {
          return handled;
        }
        Thread.onSpinWait();
      } while (System.nanoTime() - began < most);
    }
    return handler.run(new Context(context, true));
  }

  /**
   * The loop's own, but that it knows no deadlines that are far away.
   *
   * @param mayBlock whether to wait if there is nothing to handle
   */
  private record Context(IoHandlerContext loop, boolean mayBlock) implements IoHandlerContext {
    @Override
    public boolean canBlock() {
      return mayBlock && loop.canBlock();
    }

    @Override
    public long delayNanos(long currentTimeNanos) {
      return loop.delayNanos(currentTimeNanos);
    }

    @Override
    public long deadlineNanos() {
      return loop.delayNanos(System.nanoTime()) > NEAR_NANOS ? NONE : loop.deadlineNanos();
    }

    @Override
    public void reportActiveIoTime(long activeNanos) {
      loop.reportActiveIoTime(activeNanos);
    }

    @Override
    public boolean shouldReportActiveIoTime() {
      return loop.shouldReportActiveIoTime();
    }
  }

  @Override
  public void initialize() {
    handler.initialize();
  }

  @Override
  public void prepareToDestroy() {
    handler.prepareToDestroy();
  }

  @Override
  public void destroy() {
    handler.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return handler.register(handle);
  }

  @Override
  public void wakeup() {
    handler.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> type) {
    return handler.isCompatible(type);
  }
}
