package io.shardmark.proxy.server;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets those who read over io_uring, where a receive stays armed, rely on what they know of other
 * transports: nobody is handed what he has not wished to read, a wish is not forgotten, and data is
 * followed by {@code channelReadComplete}. First in a connection's pipeline.
 *
 * <p>Netty 4.2.18 cancels the receive of a connection that nobody wishes to read. Pieces that were
 * under way still come, as many as the ring has buffers, and the cancel takes their end with it. So
 * they are kept here until they are wished for. Each piece also makes Netty forget a wish made
 * meanwhile; one is made again with the end of what was there, but the cancel may come before that
 * end. Then the connection is never read again. So the wish is made again with each piece.
 */
final class LastingRead extends ChannelDuplexHandler {
  private final Queue<Object> early = new ArrayDeque<>();
  private boolean wanted;
  private boolean handingOut;

  /** Whether pieces have been passed on whose end has not come yet. */
  private boolean endMissing;

  @Override
  public void read(ChannelHandlerContext context) {
    wanted = true;
    if (handingOut) {
      return;
    }
    if (early.isEmpty()) {
      context.read();
    } else {
      handingOut = true;
      context.executor().execute(() -> handOut(context)); // not to enter who asks for it
    }
  }

  private void handOut(ChannelHandlerContext context) {
    while (wanted && !early.isEmpty()) {
      context.fireChannelRead(early.remove());
      end(context);
    }
    handingOut = false;
    wishAgain(context);
  }

  private void wishAgain(ChannelHandlerContext context) {
    if (wanted && early.isEmpty()) {
      context.read();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (wanted && early.isEmpty()) {
      context.read();
      endMissing = true;
      context.fireChannelRead(message);
    } else {
      early.add(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (endMissing) {
      end(context);
    } else {
      wishAgain(context); // there was nothing to read
    }
  }

  private void end(ChannelHandlerContext context) {
    endMissing = false;
    wanted = false;
    context.fireChannelReadComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    handOutAll(context);
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    handOutAll(context);
    context.fireExceptionCaught(cause);
  }

  /** What had come before the connection ended. */
  private void handOutAll(ChannelHandlerContext context) {
    while (!early.isEmpty()) {
      context.fireChannelRead(early.remove());
      end(context);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    early.forEach(ReferenceCountUtil::release);
    early.clear();
  }
}
