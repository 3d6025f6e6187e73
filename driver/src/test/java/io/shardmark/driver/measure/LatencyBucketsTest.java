package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LatencyBucketsTest {
  private static int bucketOf(long nanos) {
    LatencyBuckets buckets = new LatencyBuckets();
    buckets.record(nanos);
    int[] found =
        IntStream.rangeClosed(0, LatencyBuckets.BOUNDED)
            .filter(bucket -> buckets.count(bucket) == 1)
            .toArray();
    assertThat(found).hasSize(1);
    return found[0];
  }

  @Test
  void aBoundBelongsToItsBucketAndTheNextNanosecondDoesNot() {
    for (int bucket = 0; bucket < LatencyBuckets.BOUNDED; bucket++) {
      long bound = Math.round(LatencyBuckets.boundSeconds(bucket) * 1e9);
      assertThat(bucketOf(bound)).as("%d ns", bound).isEqualTo(bucket);
      assertThat(bucketOf(bound + 1)).as("%d ns and one", bound).isEqualTo(bucket + 1);
    }
  }

  @Test
  void takesDurationsBeyondBothEnds() {
    assertThat(bucketOf(-5)).isZero();
    assertThat(bucketOf(0)).isZero();
    assertThat(bucketOf(Long.MAX_VALUE)).isEqualTo(LatencyBuckets.BOUNDED);
    assertThat(LatencyBuckets.boundSeconds(0)).isEqualTo(32.768e-6);
    assertThat(LatencyBuckets.boundSeconds(1)).isEqualTo(49.152e-6);
    assertThat(LatencyBuckets.boundSeconds(LatencyBuckets.BOUNDED - 1))
        .isCloseTo(68.7, within(0.1));
    assertThat(LatencyBuckets.boundSeconds(LatencyBuckets.BOUNDED)).isInfinite();
  }

  @Test
  void sumsUp() {
    LatencyBuckets buckets = new LatencyBuckets();
    buckets.record(1_500_000_000);
    buckets.record(-1);
    buckets.record(500_000_000);

    assertThat(buckets.sumSeconds()).isEqualTo(2.0);
  }
}
