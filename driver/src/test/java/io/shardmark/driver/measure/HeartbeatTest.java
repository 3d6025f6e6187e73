package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.shardmark.driver.results.HoldUps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HeartbeatTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  private final Heartbeat heartbeat = new Heartbeat();

  private void beat(long lastMillis, long nowMillis) {
    heartbeat.beat(lastMillis * MILLI, nowMillis * MILLI);
  }

  @Test
  void aBeatThatComesLateIsAHoldUpOfTheProcess() {
    beat(0, 20);
    beat(20, 130);
    beat(1_000, 1_200);
    beat(4_000, 7_000);
    beat(9_000, 12_000);
    MeasurementInterval interval = new MeasurementInterval(SECOND, 10 * SECOND);

    assertThat(heartbeat.during(interval)).isEqualTo(new HoldUps(4.2, 3, 3));
    assertThat(heartbeat.heldUpNanos(5 * SECOND, 6 * SECOND)).isEqualTo(SECOND);
    assertThat(new Heartbeat().during(interval)).isEqualTo(HoldUps.NONE);
  }

  @Test
  void aThreadThatTakesNoProcessorTimeHangs() {
    Semaphore stuck = new Semaphore(0);
    Thread hanging = new Thread(stuck::acquireUninterruptibly, "hanging");
    hanging.start();
    List<String> hangs = Collections.synchronizedList(new ArrayList<>());
    await().until(() -> hanging.getState() == Thread.State.WAITING);

    heartbeat.watch(hanging, SECOND, hangs::add);
    // What the process was held up for is not its fault.
    beat(0, 60_000);
    for (long millis = 0; millis < 800; millis += 20) {
      beat(millis, millis + 20);
    }
    assertThat(hangs).isEmpty();
    for (long millis = 0; millis < 800; millis += 20) {
      beat(millis, millis + 20);
    }
    assertThat(hangs).containsExactly("hanging");
    stuck.release();
  }

  @Test
  void aThreadThatComesRoundDoesNotHang() {
    List<String> hangs = Collections.synchronizedList(new ArrayList<>());
    heartbeat.watch(Thread.currentThread(), TimeUnit.MILLISECONDS.toNanos(100), hangs::add);
    for (long millis = 0; millis < 800; millis += 20) {
      beat(millis, millis + 20);
    }
    assertThat(hangs).isEmpty();
  }

  /** On its own thread, in time that passes. */
  @Test
  void beatsUntilItIsClosed() {
    Semaphore stuck = new Semaphore(0);
    Thread hanging = new Thread(stuck::acquireUninterruptibly, "hanging");
    hanging.start();
    List<String> hangs = Collections.synchronizedList(new ArrayList<>());
    try (heartbeat) {
      heartbeat.start();
      heartbeat.watch(hanging, 50 * MILLI, hangs::add);
      await().atMost(Duration.ofMinutes(2)).until(() -> !hangs.isEmpty());
    }
    stuck.release();
  }
}
