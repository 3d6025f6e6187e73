package io.shardmark.driver.result;

import io.shardmark.driver.selfcheck.ClientReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** {@code data/client.csv}: what the driver's own process used. One thread at a time. */
public final class ClientFile implements AutoCloseable {
  private static final String HEADER =
      "run,elapsed,cores_used,cores_available,gc_count,gc_ms,gc_max_ms,"
          + "heap_used_bytes,heap_committed_bytes,rss_bytes";

  private final RowFile file;
  private final int run;

  private ClientFile(RowFile file, int run) {
    this.file = file;
    this.run = run;
  }

  /**
   * Makes the file and writes its header.
   *
   * @throws IOException if it cannot be made
   */
  public static ClientFile open(ResultDirectory directory, int run) throws IOException {
    RowFile file =
        new RowFile(
            Files.newByteChannel(
                directory.data().resolve("client.csv"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE));
    file.text(HEADER).endRow();
    file.flush();
    return new ClientFile(file, run);
  }

  /**
   * Writes one row, at once.
   *
   * @param elapsedMillis from when the file was made to the end of the reading
   * @throws IOException if it cannot be written; the file then ends with its last whole row
   */
  public void write(long elapsedMillis, ClientReading reading) throws IOException {
    int available = Runtime.getRuntime().availableProcessors();
    file.number(run).comma().number(elapsedMillis).comma();
    file.text(String.format(Locale.ROOT, "%.3f", reading.coresUsed())).comma();
    file.number(available).comma().number(reading.gcCount()).comma();
    file.millis(reading.gcPauseNanos()).comma().millis(reading.longestGcPauseNanos()).comma();
    file.number(reading.heapUsedBytes()).comma().number(reading.heapCommittedBytes()).comma();
    file.number(reading.residentBytes()).endRow();
    file.flush();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
