package io.shardmark.loader;

import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.RowSource;
import io.shardmark.loader.data.RowWriter;
import io.shardmark.loader.writer.UnitWriter;

/** Makes the rows of units into one worker's writer. */
record UnitRows(RowSource source, UnitWriter writer) implements UnitSession {
  @Override
  public long load(LoadUnit unit) {
    long rows = 0;
    for (DataTable table : unit.tables()) {
      RowWriter out = writer.start(table);
      int written = source.write(unit, table, out);
      writer.end(written);
      rows += written;
    }
    return rows;
  }

  /** Writes the rows of the table that is filled last. */
  void writeLast(DataTable table) {
    RowWriter out = writer.start(table);
    writer.end(source.writeLast(out));
  }

  @Override
  public void close() {
    writer.abandon();
  }
}
