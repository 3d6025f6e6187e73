package io.shardmark.loader.writer;

import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.RowWriteException;
import io.shardmark.loader.data.RowWriter;
import java.util.function.BooleanSupplier;

/** Writes one worker's rows into the shared CSV files. */
public final class CsvUnitWriter implements UnitWriter {
  /** What a worker holds back at most: the lock is taken once for each such block. */
  private static final int BLOCK_BYTES = 256 * 1024;

  private final CsvFiles files;
  private final BooleanSupplier stopped;
  private final CsvEncoder encoder;
  private DataTable table = DataTable.NONE;

  /**
   * @param nullText written for NULL
   * @param stopped asked between blocks; true ends the unit with a {@link RowWriteException}
   */
  public CsvUnitWriter(CsvFiles files, String nullText, BooleanSupplier stopped) {
    this.files = files;
    this.stopped = stopped;
    encoder = new CsvEncoder(this::append, nullText, BLOCK_BYTES);
  }

  @Override
  public RowWriter start(DataTable newTable) {
    table = newTable;
    encoder.begin();
    return encoder;
  }

  @Override
  public void end(int rows) {
    encoder.finish();
  }

  @Override
  public void abandon() {
    encoder.begin();
  }

  private void append(byte[] block, int offset, int length) {
    if (stopped.getAsBoolean()) {
      throw new RowWriteException("the load was stopped");
    }
    files.append(table, block, offset, length);
  }
}
