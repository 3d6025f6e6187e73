package io.shardmark.driver.tpcb;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.KeyCatalog;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.OperationMix;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** pgbench's tables with a few rows. */
final class SmallTpcb {
  static final TpcbScale SCALE = new TpcbScale(2, 20, 200);

  private static final KeyCatalog KEYS = new KeyCatalog(Map.of("tpcb", List.of(TpcbKey.values())));

  private SmallTpcb() {}

  static PropertyReader values(String... lines) {
    return BenchmarkProperties.parse(
            KEYS, Path.of("props"), String.join("\n", lines), Map.of("workload", "tpcb"))
        .values();
  }

  static OperationMix<TpcbScript> mix(String transactions) {
    return TpcbScript.mix(values("transactions=" + transactions));
  }

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql :
          new String[] {
            "CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int, filler char(88))",
            "CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int, tbalance int, filler char(84))",
            "CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84))",
            "CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))",
            "INSERT INTO pgbench_branches SELECT i, 0 FROM generate_series(1, 2) i",
            "INSERT INTO pgbench_tellers SELECT i, (i - 1) / 10 + 1, 0 FROM generate_series(1, 20) i",
            "INSERT INTO pgbench_accounts SELECT i, (i - 1) / 100 + 1, 0, '' FROM generate_series(1, 200) i"
          }) {
        statement.execute(sql);
      }
    }
  }

  static long ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
