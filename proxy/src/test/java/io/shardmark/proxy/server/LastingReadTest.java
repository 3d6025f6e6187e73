package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a transport hears of a wish to read while data comes, and what a reader is handed. */
final class LastingReadTest {
  private final Wishes wishes = new Wishes();
  private final Reader reader = new Reader();
  private final EmbeddedChannel channel = new EmbeddedChannel(wishes);

  LastingReadTest() {
    channel.config().setAutoRead(false);
    channel.pipeline().addLast(new LastingRead(), reader);
    wishes.heard = 0;
  }

  @Test
  void theWishIsMadeAgainWithEachPiece() {
    asks();
    assertThat(wishes.heard).isEqualTo(1);
    arrives("one");
    assertThat(wishes.heard).isEqualTo(2);
    arrives("two");
    assertThat(wishes.heard).isEqualTo(3);
    assertThat(reader.events).containsExactly("one", "two");
  }

  @Test
  void whatIsNotWishedForIsKeptAndHandedOutOneByOne() {
    asks();
    arrives("one");
    ends();
    arrives("two");
    arrives("three");
    ends();
    channel.runPendingTasks();
    assertThat(reader.events).containsExactly("one", "end");

    asks();
    asks();
    assertThat(reader.events).as("not while it asks").hasSize(2);
    channel.runPendingTasks();
    assertThat(reader.events).containsExactly("one", "end", "two", "end");
    assertThat(wishes.heard).isEqualTo(2);

    arrives("four");
    reader.goesOn = true;
    asks();
    channel.runPendingTasks();
    assertThat(reader.events.subList(4, 8)).containsExactly("three", "end", "four", "end");
    assertThat(wishes.heard).as("when all is handed out").isEqualTo(3);
  }

  @Test
  void theWishLastsThroughAReadThatFoundNothing() {
    asks();
    ends();
    assertThat(wishes.heard).isEqualTo(2);
    assertThat(reader.events).isEmpty();
  }

  @Test
  void whatIsKeptComesBeforeTheEndOfTheConnection() {
    arrives("one");
    arrives("two");
    channel.pipeline().fireExceptionCaught(new IllegalStateException("reset"));
    assertThat(reader.events).containsExactly("one", "end", "two", "end", "reset");
    arrives("three");
    channel.pipeline().fireChannelInactive();
    assertThat(reader.events.subList(5, 8)).containsExactly("three", "end", "inactive");
  }

  @Test
  void whatIsKeptIsFreed() {
    ByteBuf piece = Unpooled.buffer().writeByte(1);
    channel.pipeline().fireChannelRead(piece);
    channel.pipeline().remove(LastingRead.class);
    assertThat(piece.refCnt()).isZero();
  }

  private void asks() {
    channel.pipeline().context(reader).read(); // the channel's own runs what is to be done later
  }

  private void arrives(String piece) {
    channel.pipeline().fireChannelRead(piece);
  }

  private void ends() {
    channel.pipeline().fireChannelReadComplete();
  }

  private static final class Wishes extends ChannelDuplexHandler {
    private int heard;

    @Override
    public void read(ChannelHandlerContext context) {
      heard++;
      context.read();
    }
  }

  private static final class Reader extends ChannelInboundHandlerAdapter {
    private final List<String> events = new ArrayList<>();
    private boolean goesOn;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      events.add(message.toString());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      events.add("end");
      if (goesOn) {
        context.read();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      events.add("inactive");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      events.add(cause.getMessage());
    }
  }
}
