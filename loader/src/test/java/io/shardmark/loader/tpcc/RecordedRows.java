package io.shardmark.loader.tpcc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.loader.data.RowWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps rows as maps from column name to text, {@code null} for NULL. */
final class RecordedRows implements RowWriter {
  static final String NULL = "null";

  private final PopulationTable table;
  private final List<Map<String, String>> rows = new ArrayList<>();

  private RecordedRows(PopulationTable table) {
    this.table = table;
  }

  static List<Map<String, String>> of(
      Population population, PopulationUnit unit, PopulationTable table) {
    RecordedRows recorded = new RecordedRows(table);
    int written = new RowGenerator(population).write(unit, table, recorded);
    if (written != recorded.rows.size()) {
      throw new AssertionError(written + " rows announced, " + recorded.rows.size() + " written");
    }
    for (Map<String, String> row : recorded.rows) {
      if (row.size() != table.table().columns().size()) {
        throw new AssertionError("fields missing: " + row);
      }
    }
    return recorded.rows;
  }

  private void field(String value) {
    Map<String, String> row = rows.get(rows.size() - 1);
    row.put(table.table().columns().get(row.size()).name(), value);
  }

  @Override
  public void startRow() {
    rows.add(new LinkedHashMap<>());
  }

  @Override
  public void int32(int value) {
    field(Integer.toString(value));
  }

  @Override
  public void text(byte[] ascii, int offset, int length) {
    field(new String(ascii, offset, length, US_ASCII));
  }

  @Override
  public void decimal(long unscaled, int scale) {
    field(BigDecimal.valueOf(unscaled, scale).toPlainString());
  }

  @Override
  public void timestamp(long epochMicros) {
    field("micros " + epochMicros);
  }

  @Override
  public void nullValue() {
    field(NULL);
  }
}
