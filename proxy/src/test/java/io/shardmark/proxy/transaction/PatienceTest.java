package io.shardmark.proxy.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The clock is the test's. */
final class PatienceTest {
  private static final int LIMIT_SECONDS = 8;
  private static final int BETWEEN_LOOKS_SECONDS = LIMIT_SECONDS / Patience.LOOKS;

  private static final class CountedEnd extends Patience.Awaited {
    private int late;
    private boolean begun = true;

    @Override
    protected boolean isAwaited() {
      return begun;
    }

    @Override
    protected void late() {
      late++;
    }
  }

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Patience patience;
  private final CountedEnd end = new CountedEnd();

  PatienceTest() {
    channel.freezeTime();
    patience = new Patience(channel.eventLoop(), () -> Duration.ofSeconds(LIMIT_SECONDS));
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
    patience.begin(end);
    passLooks(Patience.LOOKS);
    assertThat(end.late).isZero();
    passLooks(1);
    assertThat(end.late).isEqualTo(1);
    passLooks(Patience.LOOKS - 1);
    assertThat(end.late).isEqualTo(1);
    passLooks(1);
    assertThat(end.late).isEqualTo(2);
  }

  @Test
  void eachStepHasTheWholeTime() {
    patience.begin(end);
    for (int step = 0; step < 3; step++) {
      passLooks(Patience.LOOKS);
      end.renew();
    }
    passLooks(Patience.LOOKS);
    assertThat(end.late).isZero();
    passLooks(1);
    assertThat(end.late).isEqualTo(1);
  }

  @Test
  void whatIsAskedBeforeItHasAllTime() {
    end.begun = false;
    patience.begin(end);
    passLooks(3 * Patience.LOOKS);
    assertThat(end.late).isZero();
    end.begun = true;
    passLooks(Patience.LOOKS + 1);
    assertThat(end.late).isEqualTo(1);
  }

  /** An answer may have come to it meanwhile, and is read before it looks again. */
  @Test
  void aProcessThatWasHeldUpIsNoSilence() {
    patience.begin(end);
    pass(TimeUnit.HOURS.toSeconds(1));
    pass(TimeUnit.HOURS.toSeconds(1));
    assertThat(end.late).isZero();
  }

  @Test
  void looksAtThoseThatHaveNotEnded() {
    CountedEnd first = new CountedEnd();
    CountedEnd last = new CountedEnd();
    patience.begin(first);
    patience.begin(end);
    patience.begin(last);
    passLooks(1);
    patience.end(end);
    passLooks(Patience.LOOKS);
    assertThat(end.late).isZero();
    assertThat(first.late).isEqualTo(1);
    assertThat(last.late).isEqualTo(1);
    patience.end(last);
    patience.begin(end);
    patience.end(first);
    passLooks(Patience.LOOKS + 1);
    assertThat(first.late).isEqualTo(1);
    assertThat(last.late).isEqualTo(1);
    assertThat(end.late).isEqualTo(1);
  }
}
