package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.Metric;
import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RollingFiguresTest {
  private static final long SECOND = 1_000_000_000;
  private static final MeasurementInterval INTERVAL =
      new MeasurementInterval(10 * SECOND, 70 * SECOND);

  private final RollingFigures rolling = new RollingFigures(TestTypes.TPCC.size(), 0, 10 * SECOND);

  private void ended(int type, long endNanos, Disposition disposition) {
    Sample sample = new Sample();
    sample.set(
        endNanos, endNanos, endNanos, endNanos, Sample.pack(type, disposition, 0, 0, false, -1));
    rolling.add(sample, TestTypes.TPCC.get(type));
  }

  private static double rate(Metric metric, SuccessCounts counts) {
    return counts.rate(metric, TestTypes.TPCC);
  }

  @Test
  void operationsASecondCountWhatATransactionHas() {
    List<TransactionType> types =
        List.of(TransactionType.unpaced(0, "write", 20), TransactionType.unpaced(1, "read", 3));
    SuccessCounts counts = new SuccessCounts(List.of(10L, 5L), 2 * SECOND);

    assertThat(counts.rate(Metric.rate("tps", "/s", Metric.Kind.COMMITS_PER_SECOND), types))
        .isEqualTo(7.5);
    assertThat(counts.rate(Metric.rate("qps", "/s", Metric.Kind.OPERATIONS_PER_SECOND), types))
        .isEqualTo(107.5);
  }

  @Test
  void currentIsTheRateOfTheLastFiveSecondsAndAverageThatOfTheInterval() {
    for (int second = 0; second < 20; second++) {
      int each = second < 15 ? 1 : 10;
      for (int i = 0; i < each; i++) {
        ended(TestTypes.NEW_ORDER, second * SECOND + 1, Disposition.COMMITTED);
        ended(TestTypes.PAYMENT, second * SECOND + 1, Disposition.COMMITTED);
        ended(TestTypes.DELIVERY_BG, second * SECOND + 1, Disposition.COMMITTED);
      }
    }
    LiveFigures live = rolling.figures(20 * SECOND, INTERVAL);
    assertThat(live.transactions()).isEqualTo(130);
    assertThat(rate(TestTypes.TPM_TOTAL, live.average())).isEqualTo(660.0);
    assertThat(rate(TestTypes.TPM_TOTAL, live.current())).isEqualTo(1200);
    assertThat(rate(TestTypes.TPM_C, live.current())).isEqualTo(600);
    assertThat(live.timeLeft()).contains(Duration.ofSeconds(50));
  }

  @Test
  void shortlyAfterTheStartItIsTheRateSinceThen() {
    ended(TestTypes.PAYMENT, SECOND / 2, Disposition.COMMITTED);
    ended(TestTypes.PAYMENT, SECOND / 2, Disposition.COMMITTED);
    assertThat(rate(TestTypes.TPM_TOTAL, rolling.figures(SECOND, INTERVAL).current()))
        .isEqualTo(120);
    assertThat(rate(TestTypes.TPM_TOTAL, rolling.figures(6 * SECOND, INTERVAL).current())).isZero();
  }

  @Test
  void nothingYetIsZeroNotInfinite() {
    LiveFigures live = rolling.figures(0, INTERVAL);
    assertThat(rate(TestTypes.TPM_TOTAL, live.average())).isZero();
    assertThat(rate(TestTypes.TPM_TOTAL, live.current())).isZero();
    assertThat(live.p95Nanos()).isZero();
  }

  @Test
  void errorsAreNotTransactions() {
    ended(TestTypes.NEW_ORDER, SECOND, Disposition.CONNECTION_LOST);
    LiveFigures live = rolling.figures(2 * SECOND, INTERVAL);
    assertThat(live.errors()).isEqualTo(1);
    assertThat(live.transactions()).isZero();
  }

  @Test
  void phasesFollowTheInterval() {
    assertThat(rolling.figures(9 * SECOND, INTERVAL).phase()).isEqualTo(LiveFigures.Phase.RAMP_UP);
    assertThat(rolling.figures(10 * SECOND, INTERVAL).phase())
        .isEqualTo(LiveFigures.Phase.MEASURING);
    assertThat(rolling.figures(70 * SECOND, INTERVAL).phase()).isEqualTo(LiveFigures.Phase.ENDING);
    assertThat(rolling.figures(80 * SECOND, INTERVAL).timeLeft()).contains(Duration.ZERO);
    assertThat(rolling.figures(9 * SECOND, MeasurementInterval.openEnded(0)).timeLeft()).isEmpty();
  }
}
