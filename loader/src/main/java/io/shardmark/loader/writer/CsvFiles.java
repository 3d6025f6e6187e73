package io.shardmark.loader.writer;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.RowWriteException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The CSV files of a load, shared by its workers. Each block of whole lines goes out under its
 * file's lock, so lines of several workers never mix.
 */
public final class CsvFiles implements AutoCloseable {
  private final Map<DataTable, CsvFile> files = new HashMap<>();

  /**
   * Creates the files, or empties them, as BenchmarkSQL does.
   *
   * @param prefix put before each file name unchanged; a directory ends in a separator
   * @throws IOException if a file cannot be written; the message names it
   */
  public CsvFiles(String prefix, Set<DataTable> tables) throws IOException {
    try {
      for (DataTable table : tables) {
        Path path = Path.of(prefix + table.fileName());
        files.put(
            table, new CsvFile(path, FileChannel.open(path, CREATE, TRUNCATE_EXISTING, WRITE)));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  void append(DataTable table, byte[] block, int offset, int length) {
    CsvFile file = files.get(table);
    if (file == null) {
      throw new IllegalStateException("no file for " + table);
    }
    file.append(ByteBuffer.wrap(block, offset, length));
  }

  @Override
  public void close() throws IOException {
    for (CsvFile file : files.values()) {
      file.channel.close();
    }
  }

  private static final class CsvFile {
    private final Path path;
    private final FileChannel channel;

    CsvFile(Path path, FileChannel channel) {
      this.path = path;
      this.channel = channel;
    }

    synchronized void append(ByteBuffer lines) {
      try {
        while (lines.hasRemaining()) {
          channel.write(lines);
        }
      } catch (IOException e) {
        throw new RowWriteException("cannot write " + path + ": " + e.getMessage(), e);
      }
    }
  }
}
