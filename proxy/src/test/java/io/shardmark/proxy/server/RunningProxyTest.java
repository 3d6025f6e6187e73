package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufAllocator;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** The tests' own watch over buffers. */
final class RunningProxyTest {
  @Test
  void closingItFailsIfABufferHasLeaked() {
    // The leak is wanted: its report shall not stand in the build's log.
    Logger logger = Logger.getLogger("io.netty.util.ResourceLeakDetector");
    logger.setFilter(entry -> false);
    try {
      RunningProxy proxy = RunningProxy.start(1);
      proxy.server().loops().get(0).loop().submit(RunningProxyTest::leak).syncUninterruptibly();
      assertThatThrownBy(proxy::close)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("leaked");
    } finally {
      logger.setFilter(null);
    }
  }

  private static void leak() {
    assertThat(ByteBufAllocator.DEFAULT.buffer(8).writeInt(1).isReadable()).isTrue();
  }
}
