package io.shardmark.driver.measure;

import static io.shardmark.driver.measure.TestTypes.DELIVERY_BG;
import static io.shardmark.driver.measure.TestTypes.NEW_ORDER;
import static io.shardmark.driver.measure.TestTypes.PAYMENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SnapshotTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  private static Snapshot nothing() {
    return new Snapshot(TestTypes.TPCC, 3);
  }

  /** Counts of all types, and every figure of their latencies. */
  private static List<Object> figures(Snapshot snapshot) {
    return snapshot.types().stream()
        .<Object>map(
            type ->
                List.of(
                    type.second(),
                    type.retries(),
                    type.skipped(),
                    type.distributed(),
                    type.count(Disposition.DEADLOCK),
                    type.errorLatency(),
                    type.latency(LatencyKind.SERVICE, Scope.LOCAL),
                    type.latency(LatencyKind.CONNECTION_WAIT, Scope.DISTRIBUTED),
                    type.latency(LatencyKind.QUEUE_WAIT, Scope.ALL)))
        .toList();
  }

  /** However a run is cut into seconds and drivers, the sum is what one would have counted. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void sumOfPartsIsWhatOneSnapshotWouldHave(long seed) {
    Random random = new Random(seed);
    Snapshot whole = nothing();
    List<Snapshot> parts = List.of(nothing(), nothing(), nothing(), nothing());
    for (int i = 0; i < 2_000; i++) {
      long due = random.nextLong(SECOND);
      long dequeued = due + random.nextLong(MILLI);
      long start = dequeued + random.nextLong(MILLI);
      Disposition[] all = Disposition.values();
      Sample sample = new Sample();
      sample.set(
          due,
          dequeued,
          start,
          start + random.nextLong(1L << random.nextInt(10, 43)),
          Sample.pack(
              random.nextInt(TestTypes.TPCC.size()),
              all[random.nextInt(all.length)],
              random.nextInt(3),
              random.nextInt(3),
              random.nextBoolean(),
              random.nextInt(-1, 3)));
      whole.add(sample);
      parts.get(random.nextInt(parts.size())).add(sample);
    }
    Snapshot sum = nothing();
    parts.forEach(sum::add);
    assertThat(figures(sum)).isEqualTo(figures(whole));
    assertThat(sum.ofPartitions()).isEqualTo(whole.ofPartitions()).doesNotContain(0L);
    assertThat(sum.transactions()).isEqualTo(whole.transactions()).isPositive();
    assertThat(sum.errors()).isEqualTo(whole.errors()).isPositive();
    sum.reset();
    assertThat(figures(sum)).isEqualTo(figures(nothing()));
    assertThat(sum.ofPartitions()).containsOnly(0L);
  }

  @Test
  void refusesWhatIsOfOtherTypes() {
    List<TransactionType> others = List.of(TransactionType.unpaced(0, "update", 1));
    assertThatThrownBy(() -> new Snapshot(others, 0).add(nothing()))
        .hasMessageContaining("NEW_ORDER and update");
  }

  private static Snapshot second(int newOrders, long latency, int partition) {
    Snapshot second = nothing();
    for (int i = 0; i < newOrders; i++) {
      for (int type : new int[] {NEW_ORDER, DELIVERY_BG}) {
        Sample sample = new Sample();
        sample.set(
            0, 0, 0, latency, Sample.pack(type, Disposition.COMMITTED, 0, 0, false, partition));
        second.add(sample);
      }
    }
    return second;
  }

  @Test
  void recentRatesAreOfFiveSecondsAndLatenciesOfTenAtMost() {
    RecentSeconds recent = new RecentSeconds(TestTypes.TPCC);
    assertThat(recent.successes().rate(TestTypes.TPM_C, TestTypes.TPCC)).isZero();
    assertThat(recent.due().percentileNanos(95)).isZero();
    recent.add(second(2, 9 * MILLI, 1));
    assertThat(recent.successes().rate(TestTypes.TPM_C, TestTypes.TPCC)).isEqualTo(120);
    for (int i = 0; i < 9; i++) {
      recent.add(second(10, MILLI, 2));
    }
    assertThat(recent.successes().rate(TestTypes.TPM_TOTAL, TestTypes.TPCC)).isEqualTo(600);
    assertThat(recent.ofPartitionPerSecond(1)).isZero();
    assertThat(recent.ofPartitionPerSecond(2)).isEqualTo(20);
    assertThat(recent.due(NEW_ORDER).maxNanos()).isEqualTo(9 * MILLI);
    assertThat(recent.due(NEW_ORDER).count()).isEqualTo(92);
    assertThat(recent.due(PAYMENT).count()).isZero();
    recent.add(second(1, MILLI, 2));
    assertThat(recent.due(NEW_ORDER).maxNanos()).as("of the last seconds").isEqualTo(MILLI);
    assertThat(recent.due().count()).isEqualTo(2 * 51);
  }

  @Test
  void operationsASecondCountWhatATransactionHas() {
    List<TransactionType> types =
        List.of(TransactionType.unpaced(0, "write", 20), TransactionType.unpaced(1, "read", 3));
    SuccessCounts counts = new SuccessCounts(List.of(10L, 5L), 2 * SECOND);
    assertThat(
            counts.rate(
                MetricRule.rate("tps", "/s", MetricRule.Computation.COMMITS_PER_SECOND), types))
        .isEqualTo(7.5);
    assertThat(
            counts.rate(
                MetricRule.rate("qps", "/s", MetricRule.Computation.OPERATIONS_PER_SECOND), types))
        .isEqualTo(107.5);
  }

  /** Bounds are where a histogram's own buckets end, so that none is cut. */
  @Test
  void countsBelowBoundsMissNothing() {
    LatencyHistogram latencies = new LatencyHistogram();
    List<Long> bounds = List.of(1L << 15, (1L << 15) + (1L << 14), 1L << 16, 1L << 36);
    for (long nanos : new long[] {0, (1 << 15) - 1, (1 << 15) + 512, (1L << 36) - 1, 1L << 37}) {
      latencies.record(nanos);
    }
    assertThat(latencies.countsUpTo(bounds)).containsExactly(2L, 1L, 0L, 1L, 1L);
    assertThat(new LatencyHistogram().countsUpTo(bounds)).containsOnly(0L).hasSize(5);
  }
}
