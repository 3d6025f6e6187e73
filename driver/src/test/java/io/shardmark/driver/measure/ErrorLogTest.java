package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.measure.ErrorLog.ErrorClass;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.ErrorResult.Example;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ErrorLogTest {
  private static final ErrorClass DEADLOCK =
      new ErrorClass("PAYMENT", Disposition.DEADLOCK, "40P01");
  private static final long SECOND = 1_000_000_000;

  private final IntervalInForce interval = new IntervalInForce();
  private final List<ErrorLog.Notice> notices = new ArrayList<>();
  private final ErrorLog log = new ErrorLog(interval, notices::add);
  private final long start = System.nanoTime();

  @BeforeEach
  void begin() {
    interval.begin(start, new MeasurementInterval(start + SECOND, start + 1000 * SECOND));
  }

  @Test
  void aFloodIsCountedExactlyAndToldOnce() {
    for (int i = 0; i < 100_000; i++) {
      log.record(DEADLOCK, "deadlock detected", i % 2 == 0, start + 2 * SECOND);
    }
    ErrorResult count = log.counts().get(0);
    assertThat(count.count()).isEqualTo(100_000);
    assertThat(count.retried()).isEqualTo(50_000);
    assertThat(count.examples()).containsExactly(new Example("deadlock detected", 1000));
    assertThat(notices).hasSize(1);
  }

  @Test
  void errorsOfTheRampUpAreCountedApart() {
    log.record(DEADLOCK, "early", false, start);
    ErrorResult count = log.counts().get(0);
    assertThat(count.count()).isZero();
    assertThat(count.outside()).isEqualTo(1);
    assertThat(count.examples().get(0).firstSeenMillis()).isEqualTo(-1000);
  }

  @Test
  void examplesAreFewAndShort() {
    for (int i = 0; i < 1000; i++) {
      log.record(DEADLOCK, "process " + i + " " + "x".repeat(10_000) + "\nHint", false, start);
    }
    ErrorResult count = log.counts().get(0);
    assertThat(count.examples()).hasSize(3);
    assertThat(count.examples()).allMatch(e -> e.message().length() <= 503);
    assertThat(count.examples()).noneMatch(e -> e.message().contains("Hint"));
  }

  /** Errors of so many SQLSTATEs. */
  private void recordInvented(int states, long nanos) {
    for (int i = 0; i < states; i++) {
      String state = "%05d".formatted(i);
      log.record(new ErrorClass("PAYMENT", Disposition.OTHER_ERROR, state), "m", false, nanos);
    }
  }

  @Test
  void manyNewClassesDoNotFloodTheConsole() {
    recordInvented(100, start);
    assertThat(notices).hasSize(5);
    log.record(DEADLOCK, "m", false, start + 11 * SECOND);
    assertThat(notices).hasSize(6);
    assertThat(notices.get(5).suppressed()).isEqualTo(95);
  }

  @Test
  void inventedSqlStatesDoNotFillTheMemory() {
    recordInvented(10_000, start);
    assertThat(log.counts().size()).isLessThanOrEqualTo(501);
    assertThat(log.counts().stream().mapToLong(ErrorResult::outside).sum()).isEqualTo(10_000);
  }

  private static ErrorResult deadlocks(long count, long retried) {
    return new ErrorResult("PAYMENT", "DEADLOCK", "40P01", count, retried, 0, List.of());
  }

  @Test
  void eachSecondHasItsErrorsOnceAndALateOneIsInNoOther() {
    log.record(DEADLOCK, "m", true, start + SECOND);
    log.record(DEADLOCK, "m", false, start + 2 * SECOND - 1);
    assertThat(log.takeSecond(0)).containsExactly(deadlocks(2, 1));
    assertThat(log.takeSecond(0)).isEmpty();
    log.record(DEADLOCK, "late", false, start + SECOND + 1);
    assertThat(log.lastSecond()).isEqualTo(-1);
    assertThat(log.takeSecond(1)).isEmpty();
    assertThat(log.counts().get(0).count()).isEqualTo(3);
  }

  @Test
  void aSecondOfInventedSqlStatesHasFewClassesAndAllErrors() {
    recordInvented(10_000, start + SECOND);
    List<ErrorResult> taken = log.takeSecond(0);
    assertThat(taken).hasSize(ErrorLog.MAX_CLASSES_PER_SECOND + 1);
    assertThat(taken.stream().mapToLong(ErrorResult::count).sum()).isEqualTo(10_000);
  }
}
