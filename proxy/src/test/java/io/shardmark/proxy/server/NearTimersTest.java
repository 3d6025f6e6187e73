package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NearTimersTest {
  private long shown;

  /** Notes the deadline that it is shown. */
  private final class Noting extends PassedOnIoHandler {
    Noting(IoHandler handler) {
      super(handler);
    }

    @Override
    public int run(IoHandlerContext context) {
      shown = context.deadlineNanos();
      return 0;
    }
  }

  /** A loop whose next task is due after so long. */
  private record Due(long millis) implements IoHandlerContext {
    @Override
    public boolean canBlock() {
      return true;
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

  private static final class OneThread implements ThreadAwareExecutor {
    @Override
    public boolean isExecutorThread(Thread thread) {
      return true;
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  /** A second is what Netty waits without any task. */
  @Test
  void showsOnlyDeadlinesThatComeBeforeTheLoopIsWokenAnyway() {
    NearTimers timers =
        new NearTimers(new Noting(NioIoHandler.newFactory().newHandler(new OneThread())));
    timers.run(new Due(1_000));
    assertThat(shown).isEqualTo(-1);
    timers.run(new Due(700));
    assertThat(shown).isEqualTo(4711);
  }
}
