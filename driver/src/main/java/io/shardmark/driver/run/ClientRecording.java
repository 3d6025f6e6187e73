package io.shardmark.driver.run;

import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.result.RowFile;
import io.shardmark.driver.selfcheck.ClientObserver;
import io.shardmark.driver.selfcheck.ClientReading;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes what this process uses into {@code client.csv}, a row each second and one at the end, in a
 * thread of its own: the main thread may wait for terminals meanwhile.
 */
final class ClientRecording implements AutoCloseable {
  static final String HEADER =
      "run,elapsed,cores_used,cores_available,gc_count,gc_ms,gc_max_ms,"
          + "heap_used_bytes,heap_committed_bytes,rss_bytes";

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RowFile file;
  private final int run;
  private final Consumer<String> onFailure;
  private final ClientObserver observer = ClientObserver.start();
  private final long startNanos = System.nanoTime();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  private ClientRecording(RowFile file, int run, Consumer<String> onFailure) {
    this.file = file;
    this.run = run;
    this.onFailure = onFailure;
    thread = RunFaults.observer("client-figures", "client.csv", onFailure, this::record);
  }

  /**
   * Makes the file and starts.
   *
   * @param onFailure receives one line if the file cannot be written later
   * @throws IOException if it cannot be made
   */
  static ClientRecording start(ResultDirectory directory, int run, Consumer<String> onFailure)
      throws IOException {
    ClientRecording recording =
        new ClientRecording(
            RowFile.create(directory.data().resolve("client.csv"), HEADER), run, onFailure);
    recording.thread.start();
    return recording;
  }

  private void record() {
    try (file) {
      boolean last = false;
      for (long tick = 1; !last; tick++) {
        long now = System.nanoTime();
        // A machine that was asleep leaves out rows and does not make up for them.
        tick = Math.max(tick, (now - startNanos) / PERIOD_NANOS + 1);
        last = closing.await(startNanos + tick * PERIOD_NANOS - now, TimeUnit.NANOSECONDS);
        long elapsed = System.nanoTime() - startNanos;
        write(file, run, TimeUnit.NANOSECONDS.toMillis(elapsed), observer.next());
      }
    } catch (IOException e) {
      onFailure.accept("client.csv: cannot be written: " + e.getMessage() + "; it ends here");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      observer.close();
    }
  }

  /** Writes one row, at once. */
  static void write(RowFile file, int run, long elapsedMillis, ClientReading reading)
      throws IOException {
    int available = Runtime.getRuntime().availableProcessors();
    file.number(run).comma().number(elapsedMillis).comma();
    file.text(String.format(Locale.ROOT, "%.3f", reading.coresUsed())).comma();
    file.number(available).comma().number(reading.gcCount()).comma();
    file.millis(reading.gcPauseNanos()).comma().millis(reading.longestGcPauseNanos()).comma();
    file.number(reading.heapUsedBytes()).comma().number(reading.heapCommittedBytes()).comma();
    file.number(reading.residentBytes()).endRow();
    file.flush();
  }

  /** Writes the last row and closes the file. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
