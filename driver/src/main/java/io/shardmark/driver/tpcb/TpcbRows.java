package io.shardmark.driver.tpcb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.driver.benchmark.NumberedRows;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.RowWriter;
import java.util.List;
import java.util.Map;

/** The rows of {@code pgbench -i}: all balances 0, the history empty. */
final class TpcbRows {
  private static final int UNIT_ROWS = 100_000;

  private static final DataTable BRANCHES =
      DataTable.of("pgbench_branches", "branches.csv", "bid:i bbalance:i filler:t");
  private static final DataTable TELLERS =
      DataTable.of("pgbench_tellers", "tellers.csv", "tid:i bid:i tbalance:i filler:t");
  private static final DataTable ACCOUNTS =
      DataTable.of("pgbench_accounts", "accounts.csv", "aid:i bid:i abalance:i filler:t");

  private TpcbRows() {}

  static DataSet of(TpcbScale scale, TpcbLayout layout) {
    String[] keyAndValue = scale.toString().split("=", 2);
    List<NumberedRows.NumberedTable> parts =
        List.of(
            new NumberedRows.NumberedTable(BRANCHES, scale.branches()),
            new NumberedRows.NumberedTable(TELLERS, scale.tellers()),
            new NumberedRows.NumberedTable(ACCOUNTS, scale.accounts()));
    return new NumberedRows(
        scale.words(),
        Map.of(keyAndValue[0], keyAndValue[1]),
        "pgbench_",
        parts,
        UNIT_ROWS,
        "Accounts",
        connection -> TpcbScale.loaded(connection).words(),
        origin ->
            (range, out) -> {
              NumberedRows.NumberedTable part = parts.get(range.part());
              write(range, part.table(), part.rows() / scale.branches(), layout, out);
            });
  }

  private static void write(
      NumberedRows.Range range, DataTable table, int perBranch, TpcbLayout layout, RowWriter out) {
    // One blank: the server pads it to the column's length.
    byte[] blank = " ".getBytes(US_ASCII);
    for (int id = range.first(); id <= range.last(); id++) {
      out.startRow();
      out.int32(id);
      if (!table.equals(BRANCHES)) {
        out.int32((id - 1) / perBranch + 1);
      }
      out.int32(0);
      if (table.equals(ACCOUNTS) || layout == TpcbLayout.BIGINT) {
        out.text(blank, 0, 1);
      } else {
        // pgbench leaves these to grow: short rows let an update stay on its page.
        out.nullValue();
      }
    }
  }
}
