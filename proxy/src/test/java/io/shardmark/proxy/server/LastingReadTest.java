package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** What a transport hears of a wish to read while data comes. */
final class LastingReadTest {
  private final Wishes wishes = new Wishes();
  private final EmbeddedChannel channel = new EmbeddedChannel(wishes);

  LastingReadTest() {
    channel.config().setAutoRead(false);
    channel.pipeline().addLast(new LastingRead());
    wishes.heard = 0;
  }

  @Test
  void theWishIsMadeAgainWithEachPiece() {
    channel.read();
    assertThat(wishes.heard).isEqualTo(1);
    arrives("one");
    assertThat(wishes.heard).isEqualTo(2);
    arrives("two");
    assertThat(wishes.heard).isEqualTo(3);
  }

  @Test
  void itEndsWithTheLastPiece() {
    channel.read();
    arrives("one");
    channel.pipeline().fireChannelReadComplete();
    arrives("two");
    assertThat(wishes.heard).isEqualTo(2);
    channel.read();
    assertThat(wishes.heard).isEqualTo(3);
  }

  private void arrives(String piece) {
    channel.pipeline().fireChannelRead(piece);
    assertThat(channel.<String>readInbound()).isEqualTo(piece);
  }

  private static final class Wishes extends ChannelDuplexHandler {
    private int heard;

    @Override
    public void read(ChannelHandlerContext context) {
      heard++;
      context.read();
    }
  }
}
