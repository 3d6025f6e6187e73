package io.shardmark.driver.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ClientObserverTest {
  /** The kernel tells a process's time in hundredths of a second, and four readings are cut. */
  private static final Duration CLOCK_STEP = Duration.ofMillis(40);

  @Test
  void countsProcessorTimeMemoryAndCollections() {
    Duration before = cpuTime();
    try (ClientObserver observer = ClientObserver.start()) {
      burn(50_000_000);
      ClientReading figures = observer.next();

      assertThat(figures.wallNanos()).isGreaterThanOrEqualTo(50_000_000);
      assertThat(figures.cpuNanos())
          .isBetween(1L, cpuTime().minus(before).plus(CLOCK_STEP).toNanos());
      assertThat(figures.coresUsed()).isPositive();
      assertThat(figures.heapUsedBytes()).isPositive();
      assertThat(figures.heapCommittedBytes()).isGreaterThanOrEqualTo(figures.heapUsedBytes());
      if (Files.exists(Path.of("/proc/self/status"))) {
        assertThat(figures.residentBytes()).isGreaterThan(10_000_000);
      }
      System.gc();
      // The JVM tells of a collection on a thread of its own, a moment later.
      await().atMost(Duration.ofMinutes(1)).until(() -> observer.next().gcCount() > 0);
    }
  }

  private static Duration cpuTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  /** So long, and until it shows in the processor time, however little of it we get. */
  private static void burn(long nanos) {
    long end = System.nanoTime() + nanos;
    Duration enough = cpuTime().plus(CLOCK_STEP);
    while (System.nanoTime() < end || cpuTime().compareTo(enough) < 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void eachReadingTellsWhatWasUsedSinceTheOneBefore() {
    try (ClientObserver observer = ClientObserver.start()) {
      observer.onCollection("G1 Young Generation", 100_003);
      observer.onCollection("ZGC Pauses", 100_005);
      observer.onCollection("ZGC Cycles", 9_000_000);
      observer.onCollection("G1 Concurrent GC", 9_000_000);
      ClientReading first = observer.next();
      burn(20_000_000);
      ClientReading second = observer.next();

      // Real collections may fall in between; none of them lasts so long.
      assertThat(first.gcCount()).isGreaterThanOrEqualTo(2);
      assertThat(first.longestGcPauseNanos()).isEqualTo(100_005_000_000L);
      assertThat(first.gcPauseNanos()).isBetween(200_008_000_000L, 300_000_000_000L);
      assertThat(second.gcPauseNanos()).isLessThan(100_003_000_000L);
      assertThat(second.longestGcPauseNanos()).isLessThan(100_003_000_000L);
      assertThat(second.wallNanos()).isGreaterThanOrEqualTo(20_000_000);
      assertThat(second.coresUsed()).isPositive();
      assertThat(second.heapCommittedBytes()).isGreaterThanOrEqualTo(second.heapUsedBytes());
      if (Files.exists(Path.of("/proc/self/status"))) {
        assertThat(second.residentBytes()).isGreaterThan(10_000_000);
      }
    }
  }

  @Test
  void coresAreProcessorTimeOverWallTime() {
    assertThat(new ClientReading(2_000, 3_000, 0, 0, 0, 0, 0, 0, OptionalLong.empty()).coresUsed())
        .isEqualTo(1.5);
  }
}
