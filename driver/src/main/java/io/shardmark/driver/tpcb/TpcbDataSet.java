package io.shardmark.driver.tpcb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.Origin;
import io.shardmark.loader.data.RowSource;
import io.shardmark.loader.data.RowWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of {@code pgbench -i}: all balances 0, the history empty. A unit is 100,000 accounts,
 * with the tellers and branches of the same ids.
 */
final class TpcbDataSet implements DataSet {
  private static final int UNIT_ROWS = 100_000;

  private static final DataTable BRANCHES =
      DataTable.of("pgbench_branches", "branches.csv", "bid:i bbalance:i filler:t");
  private static final DataTable TELLERS =
      DataTable.of("pgbench_tellers", "tellers.csv", "tid:i bid:i tbalance:i filler:t");
  private static final DataTable ACCOUNTS =
      DataTable.of("pgbench_accounts", "accounts.csv", "aid:i bid:i abalance:i filler:t");

  private final TpcbScale scale;

  TpcbDataSet(TpcbScale scale) {
    this.scale = scale;
  }

  @Override
  public String size() {
    return sizeOf(scale);
  }

  private static String sizeOf(TpcbScale scale) {
    return "%d branches, %d tellers, %d accounts"
        .formatted(scale.branches(), scale.tellers(), scale.accounts());
  }

  @Override
  public Map<String, String> parameters() {
    String[] keyAndValue = scale.toString().split("=", 2);
    return Map.of(keyAndValue[0], keyAndValue[1]);
  }

  @Override
  public Optional<String> loadedSize(Connection connection) throws SQLException {
    return Optional.of(sizeOf(TpcbScale.loaded(connection)));
  }

  @Override
  public Optional<String> lastKeyedTable() {
    return Optional.of(ACCOUNTS.name());
  }

  @Override
  public String namePrefix() {
    return "pgbench_";
  }

  @Override
  public List<DataTable> tables() {
    return List.of(BRANCHES, TELLERS, ACCOUNTS);
  }

  @Override
  public int unitCount() {
    return (scale.accounts() - 1) / UNIT_ROWS + 1;
  }

  @Override
  public LoadUnit unit(int number) {
    List<DataTable> tables = new ArrayList<>();
    for (DataTable table : tables()) {
      if (rowsOf(table) > number * UNIT_ROWS) {
        tables.add(table);
      }
    }
    return new LoadUnit(number, "rows " + (number + 1), 0, tables);
  }

  private int rowsOf(DataTable table) {
    if (table.equals(BRANCHES)) {
      return scale.branches();
    }
    return table.equals(TELLERS) ? scale.tellers() : scale.accounts();
  }

  @Override
  public long expectedRows(int firstUnit, int endUnit) {
    long rows = 0;
    for (DataTable table : tables()) {
      rows += Math.max(0, lastOf(table, endUnit - 1) - (long) firstUnit * UNIT_ROWS);
    }
    return rows;
  }

  private long lastOf(DataTable table, int unit) {
    return Math.min(rowsOf(table), (unit + 1L) * UNIT_ROWS);
  }

  @Override
  public String partitionName(int partition) {
    return "Accounts";
  }

  @Override
  public RowSource rows(Origin origin) {
    return this::write;
  }

  private int write(LoadUnit unit, DataTable table, RowWriter out) {
    int number = unit.number();
    int first = number * UNIT_ROWS + 1;
    int last = (int) lastOf(table, number);
    int perBranch = 1;
    if (!table.equals(BRANCHES)) {
      perBranch = table.equals(TELLERS) ? scale.tellersPerBranch() : scale.accountsPerBranch();
    }
    // One blank: the server pads it to the column's length.
    byte[] blank = " ".getBytes(US_ASCII);
    for (int id = first; id <= last; id++) {
      out.startRow();
      out.int32(id);
      if (!table.equals(BRANCHES)) {
        out.int32((id - 1) / perBranch + 1);
      }
      out.int32(0);
      if (table.equals(ACCOUNTS)) {
        out.text(blank, 0, 1);
      } else {
        // pgbench leaves these to grow: short rows let an update stay on its page.
        out.nullValue();
      }
    }
    return last - first + 1;
  }
}
