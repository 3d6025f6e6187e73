package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitingIoHandlerTest {
  private static final Duration NO_POLL = Duration.ZERO;
  private static final Duration POLL = Duration.ofMillis(20);

  /** Notes the deadlines that it is shown, and whether it may block. */
  private static final class Noting implements IoHandler {
    private final List<Long> deadlines = new ArrayList<>();
    private final List<Boolean> blocking = new ArrayList<>();

    /** Has something to handle from this call on. */
    private int handlesFrom = Integer.MAX_VALUE;

    @Override
    public int run(IoHandlerContext context) {
      deadlines.add(context.deadlineNanos());
      blocking.add(context.canBlock());
      return blocking.size() >= handlesFrom ? 1 : 0;
    }

    @Override
    public void prepareToDestroy() {}

    @Override
    public void destroy() {}

    @Override
    public IoRegistration register(IoHandle handle) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void wakeup() {}

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
      return true;
    }
  }

  /** A loop whose next task is due after so long. */
  private record Due(long millis, boolean canBlock) implements IoHandlerContext {
    Due(long millis) {
      this(millis, true);
    }

    @Override
    public long delayNanos(long currentTimeNanos) {
      return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public long deadlineNanos() {
      return 4711;
    }
  }

  private final Noting sockets = new Noting();

  /** A second is what Netty waits without any task. */
  @Test
  void showsOnlyDeadlinesThatComeBeforeTheLoopIsWokenAnyway() {
    WaitingIoHandler handler = new WaitingIoHandler(sockets, NO_POLL);
    handler.run(new Due(1_000));
    handler.run(new Due(700));
    assertThat(sockets.deadlines).containsExactly(-1L, 4711L);
  }

  @Test
  void blocksAtOnceWithoutATimeToPoll() {
    new WaitingIoHandler(sockets, NO_POLL).run(new Due(1_000));
    assertThat(sockets.blocking).containsExactly(true);
  }

  @Test
  void looksForMoreBeforeItBlocks() {
    new WaitingIoHandler(sockets, POLL).run(new Due(1_000));
    assertThat(sockets.blocking).hasSizeGreaterThan(1).endsWith(false, true);
  }

  @Test
  void doesNotBlockWhenItHasFoundSomething() {
    sockets.handlesFrom = 3;
    assertThat(new WaitingIoHandler(sockets, POLL).run(new Due(1_000))).isEqualTo(1);
    assertThat(sockets.blocking).containsExactly(false, false, false);
  }

  @Test
  void looksOnceWhenTheLoopHasTasks() {
    new WaitingIoHandler(sockets, POLL).run(new Due(1_000, false));
    assertThat(sockets.blocking).containsExactly(false);
  }
}
