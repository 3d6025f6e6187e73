package io.shardmark.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The clock is the test's. */
final class CommitDeadlineTest {
  private static final int LIMIT_SECONDS = 8;
  private static final int BETWEEN_LOOKS_SECONDS = LIMIT_SECONDS / SilentEnds.LOOKS;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private int late;
  private final CommitDeadline deadline =
      new CommitDeadline(channel.eventLoop(), Duration.ofSeconds(LIMIT_SECONDS), () -> late++);

  CommitDeadlineTest() {
    channel.freezeTime();
  }

  /** The event loop turns once. */
  private void pass(long seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  private void passLooks(int count) {
    for (int i = 0; i < count; i++) {
      pass(BETWEEN_LOOKS_SECONDS);
    }
  }

  @Test
  void isLateAQuarterAfterItsTimeAndAgainEachTimeItPasses() {
    deadline.begin();
    passLooks(SilentEnds.LOOKS);
    assertThat(late).isZero();
    passLooks(1);
    assertThat(late).isEqualTo(1);
    passLooks(SilentEnds.LOOKS - 1);
    assertThat(late).isEqualTo(1);
    passLooks(1);
    assertThat(late).isEqualTo(2);
  }

  @Test
  void eachStepHasTheWholeTime() {
    deadline.begin();
    for (int step = 0; step < 3; step++) {
      passLooks(SilentEnds.LOOKS);
      deadline.extend();
    }
    passLooks(SilentEnds.LOOKS);
    assertThat(late).isZero();
    passLooks(1);
    assertThat(late).isEqualTo(1);
  }

  /** An answer may have come to it meanwhile, and is read before it looks again. */
  @Test
  void aProcessThatWasHeldUpIsNoSilence() {
    deadline.begin();
    pass(TimeUnit.HOURS.toSeconds(1));
    pass(TimeUnit.HOURS.toSeconds(1));
    assertThat(late).isZero();
  }

  @Test
  void isOverWhenItIsEnded() {
    deadline.begin();
    passLooks(1);
    deadline.end();
    pass(TimeUnit.HOURS.toSeconds(1));
    passLooks(2 * SilentEnds.LOOKS);
    assertThat(late).isZero();
  }
}
