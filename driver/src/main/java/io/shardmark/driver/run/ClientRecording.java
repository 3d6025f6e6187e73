package io.shardmark.driver.run;

import io.shardmark.driver.measure.ObserverThread;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.recorder.RowFile;
import io.shardmark.driver.selfcheck.ClientObserver;
import io.shardmark.driver.selfcheck.ClientReading;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes what this process uses into {@code client.csv}, a row each second and one at the end, in a
 * separate thread: the main thread may wait for terminals meanwhile.
 */
final class ClientRecording implements AutoCloseable {
  static final String HEADER =
      "run,elapsed,cores_used,cores_available,gc_count,gc_ms,gc_max_ms,"
          + "heap_used_bytes,heap_committed_bytes,rss_bytes";

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RowFile file;
  private final int run;
  private final ClientObserver observer = ClientObserver.start();
  private final long startNanos = System.nanoTime();
  private final ObserverThread thread;

  private ClientRecording(RowFile file, int run, Consumer<String> onFailure) {
    this.file = file;
    this.run = run;
    thread = new ObserverThread("client-figures", "client.csv", onFailure, this::round, this::end);
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

  /** A machine that was asleep leaves out rows and does not make up for them. */
  private long round() throws IOException {
    long tick = (System.nanoTime() - startNanos) / PERIOD_NANOS;
    if (tick > 0) {
      row();
    }
    return startNanos + (tick + 1) * PERIOD_NANOS - System.nanoTime();
  }

  private void row() throws IOException {
    long elapsed = System.nanoTime() - startNanos;
    write(file, run, TimeUnit.NANOSECONDS.toMillis(elapsed), observer.next());
  }

  private void end() throws IOException {
    try (observer) {
      file.close();
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
    thread.execute(this::row);
    thread.close();
  }
}
