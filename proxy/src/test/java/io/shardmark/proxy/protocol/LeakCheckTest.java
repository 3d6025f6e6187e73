package io.shardmark.proxy.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
  private final Logger logger = Logger.getLogger("io.netty.util.ResourceLeakDetector");

  /** The leaks are wanted: their reports shall not stand in the build's log. */
  @BeforeEach
  void silenceReports() {
    logger.setFilter(entry -> false);
  }

  @AfterEach
  void letReportsThrough() {
    logger.setFilter(null);
  }

  @Test
  void findsABufferThatWasNotReleased() throws InterruptedException {
    LeakCheck check = new LeakCheck();
    check.start();
    leak();
    assertThat(check.finish()).hasSize(1);
  }

  @Test
  void findsNothingWhereAllIsReleased() throws InterruptedException {
    LeakCheck check = new LeakCheck();
    check.start();
    ByteBufAllocator.DEFAULT.buffer(8).release();
    assertThat(check.finish()).isEmpty();
  }

  /** As of two proxies of one test, of which the one that was started first ends first. */
  @Test
  void twoOverlapAndTheWatchEndsWithTheLast() throws InterruptedException {
    ResourceLeakDetector.Level without = ResourceLeakDetector.getLevel();
    LeakCheck first = new LeakCheck();
    LeakCheck second = new LeakCheck();
    first.start();
    second.start();
    assertThat(first.finish()).isEmpty();
    leak();
    assertThat(second.finish()).hasSize(1);
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(without);
  }

  private static void leak() {
    assertThat(ByteBufAllocator.DEFAULT.buffer(8).writeInt(1).readableBytes()).isEqualTo(4);
  }
}
