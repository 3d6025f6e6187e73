package io.shardmark.loader;

import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.RowSource;
import io.shardmark.loader.writer.CsvUnitWriter;

/** Writes units into the shared CSV files. */
final class CsvSession implements UnitSession {
  private final CsvUnitWriter writer;
  private final UnitRows rows;

  CsvSession(RowSource source, CsvUnitWriter writer) {
    this.writer = writer;
    rows = new UnitRows(source, writer);
  }

  @Override
  public long load(LoadUnit unit) {
    return rows.write(unit);
  }

  @Override
  public void close() {
    writer.close();
  }
}
