package io.shardmark.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
  @Test
  void findsABufferThatWasNotReleased() throws InterruptedException {
    // The leak is wanted: its report shall not stand in the build's log.
    Logger logger = Logger.getLogger("io.netty.util.ResourceLeakDetector");
    logger.setFilter(entry -> false);
    try {
      LeakCheck check = new LeakCheck();
      check.start();
      leak();
      assertThat(check.finish()).hasSize(1);
    } finally {
      logger.setFilter(null);
    }
  }

  @Test
  void findsNothingWhereAllIsReleased() throws InterruptedException {
    LeakCheck check = new LeakCheck();
    check.start();
    ByteBufAllocator.DEFAULT.buffer(8).release();
    assertThat(check.finish()).isEmpty();
  }

  private static void leak() {
    assertThat(ByteBufAllocator.DEFAULT.buffer(8).writeInt(1).readableBytes()).isEqualTo(4);
  }
}
