package io.shardmark.driver.tpcb;

import io.shardmark.config.ConfigException;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.sql.jdbc.FirstValue;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * How many rows the tables have; ids are 1 to that. pgbench's are 1 : 10 : 100,000 by its scale
 * factor.
 */
record TpcbScale(int branches, int tellers, int accounts) {
  private static final int TELLERS_PER_BRANCH = 10;
  private static final int ACCOUNTS_PER_BRANCH = 100_000;

  /** By the keys {@code scale} and {@code rowsPerTable}. */
  static TpcbScale of(PropertyReader values) {
    int rows = values.integer(TpcbKey.ROWS_PER_TABLE);
    if (rows > 0 && values.has(TpcbKey.SCALE)) {
      throw values.problem(
          "scale and rowsPerTable are both set: expected one of them",
          List.of(TpcbKey.SCALE, TpcbKey.ROWS_PER_TABLE));
    }
    return rows > 0 ? equal(rows) : pgbench(values.integer(TpcbKey.SCALE));
  }

  static TpcbScale pgbench(int scale) {
    return new TpcbScale(scale, scale * TELLERS_PER_BRANCH, scale * ACCOUNTS_PER_BRANCH);
  }

  static TpcbScale equal(int rows) {
    return new TpcbScale(rows, rows, rows);
  }

  boolean isEqual() {
    return branches == accounts;
  }

  int tellersPerBranch() {
    return tellers / branches;
  }

  int accountsPerBranch() {
    return accounts / branches;
  }

  String words() {
    return "%d branches, %d tellers, %d accounts".formatted(branches, tellers, accounts);
  }

  /** As the keys say it. */
  @Override
  public String toString() {
    return isEqual() ? "rowsPerTable=" + branches : "scale=" + branches;
  }

  /**
   * Checks that the tables have these rows. Largest ids are taken for counts: {@code verify}
   * counts.
   *
   * @throws ConfigException if they have not, or lack the keys that pgbench gives them
   */
  void requireTables(Connection connection) throws SQLException {
    TpcbScale loaded = loaded(connection);
    if (!loaded.equals(this)) {
      throw new ConfigException(
          "%s does not fit the tables, which have %d branches, %d tellers and %d accounts: %s"
              .formatted(this, loaded.branches, loaded.tellers, loaded.accounts, loaded.advice()));
    }
    requirePrimaryKeys(connection);
  }

  /** The largest ids of the tables. */
  static TpcbScale loaded(Connection connection) throws SQLException {
    return new TpcbScale(
        number(connection, "SELECT max(bid) FROM pgbench_branches"),
        number(connection, "SELECT max(tid) FROM pgbench_tellers"),
        number(connection, "SELECT max(aid) FROM pgbench_accounts"));
  }

  private String advice() {
    if (branches > 0 && (equals(pgbench(branches)) || equals(equal(branches)))) {
      return "set " + this + ", or destroy and build";
    }
    return "destroy and build";
  }

  /** The first number of the answer; 0 if it has none. */
  private static int number(Connection connection, String query) throws SQLException {
    return (int) FirstValue.number(connection, query);
  }

  /**
   * Checks that the history is there, if a transaction of the mix writes into it.
   *
   * @throws ConfigException if it is not
   */
  static void requireHistory(OperationMix<TpcbScript> mix, Connection connection)
      throws SQLException {
    if (mix.parts().stream().anyMatch(part -> part.operation().insertsHistory())
        && number(
                connection,
                "SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass('pgbench_history')")
            == 0) {
      throw new ConfigException(
          "the database has no pgbench_history, into which tpcb-like and simple-update insert;"
              + " pgbench -i makes all tables, transactions=no-history does without it");
    }
  }

  /**
   * Checks that the function is in the search path.
   *
   * @throws ConfigException if it is not
   */
  static void requireFunction(Connection connection) throws SQLException {
    if (number(
            connection,
            "SELECT 1 FROM pg_catalog.pg_proc WHERE proname = '%s' AND pg_catalog.pg_function_is_visible(oid)"
                .formatted(TpcbStatement.FUNCTION))
        == 0) {
      throw new ConfigException(
          "statements=function: the database has no function %s; this installs it: java -jar driver.jar sql PROPS functionCreates"
              .formatted(TpcbStatement.FUNCTION));
    }
  }

  private static void requirePrimaryKeys(Connection connection) throws SQLException {
    for (String table : List.of("pgbench_branches", "pgbench_tellers", "pgbench_accounts")) {
      if (number(
              connection,
              "SELECT 1 FROM pg_catalog.pg_index WHERE indisprimary AND indrelid = '%s'::pg_catalog.regclass"
                  .formatted(table))
          == 0) {
        throw new ConfigException(
            "%s has no primary key: pgbench -i without step p made it; pgbench -i -I p adds the keys"
                .formatted(table));
      }
    }
  }
}
