package io.shardmark.driver.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class ClientObserverTest {
  /** The kernel tells a process's time in hundredths of a second, and four readings are cut. */
  private static final Duration CLOCK_STEP = Duration.ofMillis(40);

  @Test
  void countsProcessorTimeMemoryAndCollections() {
    Duration before = cpuTime();
    try (ClientObserver observer = ClientObserver.start()) {
      burn(50_000_000);
      System.gc();
      ClientFigures figures = awaitCollection(observer);

      assertThat(figures.wallNanos()).isGreaterThanOrEqualTo(50_000_000);
      assertThat(figures.cpuNanos())
          .isBetween(1L, cpuTime().minus(before).plus(CLOCK_STEP).toNanos());
      assertThat(figures.coresUsed()).isPositive();
      assertThat(figures.systemCpuNanos()).isNotNegative();
      assertThat(figures.gcCount()).isPositive();
      assertThat(figures.gcPauseNanos()).isGreaterThanOrEqualTo(figures.maxGcPauseNanos());
      assertThat(figures.heapUsedBytes()).isPositive();
      assertThat(figures.heapCommittedBytes()).isGreaterThanOrEqualTo(figures.heapUsedBytes());
      if (Files.exists(Path.of("/proc/self/status"))) {
        assertThat(figures.residentBytes()).isGreaterThan(10_000_000);
        assertThat(figures.contextSwitches()).isPositive();
      }
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

  /** The JVM tells of a collection on a thread of its own, a moment later. */
  private static ClientFigures awaitCollection(ClientObserver observer) {
    ClientFigures figures = observer.figures();
    while (figures.gcCount() == 0) {
      LockSupport.parkNanos(5_000_000);
      figures = observer.figures();
    }
    return figures;
  }

  @Test
  void pausesAreAddedUpAndConcurrentWorkIsNot() {
    try (ClientObserver observer = ClientObserver.start()) {
      ClientFigures before = observer.figures();
      observer.onCollection("G1 Young Generation", 100_003);
      observer.onCollection("ZGC Pauses", 100_005);
      observer.onCollection("ZGC Cycles", 9_000_000);
      observer.onCollection("G1 Concurrent GC", 9_000_000);
      ClientFigures after = observer.figures();

      assertThat(after.maxGcPauseNanos()).isEqualTo(100_005_000_000L);
      assertThat(after.gcPauseNanos() - before.gcPauseNanos())
          .isBetween(200_008_000_000L, 300_000_000_000L); // a real collection may fall in between
    }
  }

  @Test
  void eachReadingTellsWhatWasUsedSinceTheOneBefore() {
    try (ClientObserver observer = ClientObserver.start()) {
      observer.onCollection("G1 Young Generation", 100_003);
      observer.onCollection("G1 Young Generation", 100_005);
      ClientReading first = observer.next();
      burn(20_000_000);
      ClientReading second = observer.next();

      // Real collections may fall in between; none of them lasts so long.
      assertThat(first.gcCount()).isGreaterThanOrEqualTo(2);
      assertThat(first.longestGcPauseNanos()).isEqualTo(100_005_000_000L);
      assertThat(first.gcPauseNanos()).isGreaterThanOrEqualTo(200_008_000_000L);
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
    ClientFigures figures = new ClientFigures(2_000, 3_000, 500, 0, 0, 0, 0, 0, 0, 0);

    assertThat(figures.coresUsed()).isEqualTo(1.5);
    assertThat(figures.userCpuNanos()).isEqualTo(2_500);
  }

  @Test
  void readsTheKernelsTexts() {
    assertThat(ProcessStatus.number(List.of("Name:\tjava", "VmRSS:\t  2048 kB"), "VmRSS:"))
        .isEqualTo(2048);
    assertThat(ProcessStatus.number(List.of("Name:\tjava"), "VmRSS:")).isZero();
  }
}
