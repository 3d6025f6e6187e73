package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class SampleRingTest {
  private final ErrorLog errors = new ErrorLog(new IntervalInForce(), notice -> {});

  @Test
  void handsOverEveryFieldOfASample() {
    SampleRing ring = new SampleRing(4, errors);
    ring.record(Instants.of(10, 12, 15, 40), 5, Disposition.DEADLOCK, 3, 7, true);
    List<String> seen = new ArrayList<>();
    int drained =
        ring.drain(
            new Sample(),
            s ->
                seen.add(
                    "%d %s %d %d %b %d %d %d %d %d"
                        .formatted(
                            s.typeIndex(),
                            s.disposition(),
                            s.retries(),
                            s.skipped(),
                            s.distributed(),
                            s.endNanos(),
                            s.dueLatencyNanos(),
                            s.serviceLatencyNanos(),
                            s.queueWaitNanos(),
                            s.connectionWaitNanos())));
    assertThat(drained).isEqualTo(1);
    assertThat(seen).containsExactly("5 DEADLOCK 3 7 true 40 30 25 2 3");
  }

  @Test
  void everyDispositionSurvivesPacking() {
    for (Disposition disposition : Disposition.values()) {
      Sample sample = new Sample();
      sample.set(0, 0, 0, 0, Sample.pack(200, disposition, 0, 0, false, -1));
      assertThat(sample.disposition()).isEqualTo(disposition);
      assertThat(sample.typeIndex()).isEqualTo(200);
    }
  }

  @Test
  void countsBeyondTheirBitsAreShownAsTheLargest() {
    Sample sample = new Sample();
    sample.set(
        0, 0, 0, 0, Sample.pack(0, Disposition.COMMITTED, 1_000_000, 1_000_000, false, 65_535));
    assertThat(sample.retries()).isEqualTo(32767);
    assertThat(sample.skipped()).isEqualTo(65535);
    assertThat(sample.distributed()).isFalse();
    assertThat(sample.homePartition()).as("a partition too high to be told").isEqualTo(-1);
  }

  @Test
  void everyPartitionSurvivesPacking() {
    Sample sample = new Sample();
    for (int partition : new int[] {-1, 0, 1, 0x7FFF, 0x8000, 0xFFFE}) {
      sample.set(0, 0, 0, 0, Sample.pack(255, Disposition.OTHER_ERROR, 9, 8, true, partition));
      assertThat(sample.homePartition()).isEqualTo(partition);
      assertThat(sample.typeIndex()).isEqualTo(255);
      assertThat(sample.skipped()).isEqualTo(8);
      assertThat(sample.retries()).isEqualTo(9);
      assertThat(sample.distributed()).isTrue();
    }
  }

  @Test
  void aStaleStartDoesNotEnterTheServiceTime() {
    Sample sample = new Sample();
    sample.set(100, 110, 5, 150, 0);
    assertThat(sample.serviceLatencyNanos()).isEqualTo(40);
    assertThat(sample.connectionWaitNanos()).isZero();
  }

  @Test
  void nothingIsLostOrReorderedBetweenTwoThreads() throws InterruptedException {
    int samples = 500_000;
    SampleRing ring = new SampleRing(64, errors);
    Thread producer =
        new Thread(
            () -> {
              for (int i = 0; i < samples; i++) {
                // All five words derive from i, so that a torn slot shows.
                ring.record(
                    Instants.of(i, 2L * i, 3L * i, 4L * i),
                    i & 0x7F,
                    Disposition.COMMITTED,
                    0,
                    0,
                    (i & 1) == 1);
              }
            });
    producer.start();
    long[] next = {0};
    long[] faults = {0};
    Sample scratch = new Sample();
    while (next[0] < samples) {
      int drained =
          ring.drain(
              scratch,
              s -> {
                long i = next[0]++;
                boolean whole =
                    s.endNanos() == 4 * i
                        && s.queueWaitNanos() == i
                        && s.connectionWaitNanos() == i
                        && s.dueLatencyNanos() == 3 * i
                        && s.typeIndex() == (i & 0x7F)
                        && s.distributed() == ((i & 1) == 1);
                faults[0] += whole ? 0 : 1;
              });
      if (drained == 0) {
        LockSupport.parkNanos(1); // with one processor free, the producer needs it now
      }
    }
    producer.join();
    assertThat(faults[0]).isZero();
    assertThat(ring.drain(scratch, s -> {})).isZero();
  }

  @Test
  void aFullRingMakesTheWorkerWaitAndCountsIt() throws InterruptedException {
    SampleRing ring = new SampleRing(2, errors);
    Thread producer =
        new Thread(
            () -> {
              for (int i = 0; i < 3; i++) {
                ring.record(Instants.of(0, i), 0, Disposition.COMMITTED, 0, 0, false);
              }
            });
    producer.start();
    // The third record cannot be placed until the first is read; the producer ends up parked.
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> producer.getState() == Thread.State.TIMED_WAITING);
    assertThat(ring.stalls()).isZero();
    List<Long> ends = new ArrayList<>();
    while (ends.size() < 3) {
      ring.drain(new Sample(), s -> ends.add(s.endNanos()));
    }
    producer.join();
    assertThat(ends).containsExactly(0L, 1L, 2L);
    assertThat(ring.stalls()).isEqualTo(1);
    assertThat(ring.stalledNanos()).isPositive();
  }

  @Test
  void aClosedRingDropsInsteadOfHanging() {
    SampleRing ring = new SampleRing(2, errors);
    ring.close();
    for (int i = 0; i < 10; i++) {
      ring.record(Instants.of(0, i), 0, Disposition.COMMITTED, 0, 0, false);
    }
    assertThat(ring.drain(new Sample(), s -> {})).isEqualTo(2);
  }

  @Test
  void allRingsTogetherStaySmall() {
    for (int workers : new int[] {1, 16, 17, 100, 1000}) {
      long bytes = (long) workers * SampleRing.capacityFor(workers) * 40;
      assertThat(bytes).as("%d workers", workers).isLessThanOrEqualTo(3 << 20);
    }
  }
}
