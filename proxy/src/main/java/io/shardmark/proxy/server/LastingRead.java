package io.shardmark.proxy.server;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;

/**
 * What those who read over io_uring rely on, where a receive stays armed: a wish to read is not
 * forgotten, and data is followed by {@code channelReadComplete}. First in a connection's pipeline.
 *
 * <p>Netty 4.2.18 cancels the receive of a connection that nobody wishes to read, and pieces that
 * were under way still come. Each makes it forget a wish made meanwhile; one is made again with the
 * end of what was there, but the cancel may come before that end. Then the connection is never read
 * again. So the wish is made again with each piece. And if there was no wish, the cancel takes the
 * end with it, and what was written for the pieces is never flushed. So the end is made up for.
 *
 * <p>The price: who stops reading is handed what comes once more, and has to keep it.
 */
final class LastingRead extends ChannelDuplexHandler {
  private boolean wanted;

  /** Whether pieces came that nobody wished for, and not yet their end. */
  private boolean endMissing;

  @Override
  public void read(ChannelHandlerContext context) {
    wanted = true;
    context.read();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (wanted) {
      context.read();
    } else if (!endMissing) {
      endMissing = true;
      context.executor().execute(() -> makeUp(context));
    }
    context.fireChannelRead(message);
  }

  private void makeUp(ChannelHandlerContext context) {
    if (endMissing) {
      channelReadComplete(context);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    wanted = false;
    endMissing = false;
    context.fireChannelReadComplete();
  }
}
