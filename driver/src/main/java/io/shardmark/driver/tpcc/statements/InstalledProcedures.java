package io.shardmark.driver.tpcc.statements;

import io.shardmark.config.ConfigException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Asks the catalog whether the procedures are there, before the first terminal misses them. */
final class InstalledProcedures {
  private static final List<String> TRANSACTIONS =
      List.of("new_order", "payment", "order_status", "stock_level", "delivery_bg");
  private static final String POSTGRES_FUNCTION = "bmsql_proc_%s";
  private static final String NONE_INSTALLED = "the database has no %s; this installs them";

  private InstalledProcedures() {}

  /**
   * @throws ConfigException if a function is not in the search path
   */
  static void requirePostgres(Connection connection) throws SQLException {
    require(
        connection,
        POSTGRES_FUNCTION,
        "SELECT proname FROM pg_catalog.pg_proc"
            + " WHERE proname LIKE 'bmsql%' AND pg_catalog.pg_function_is_visible(oid)",
        NONE_INSTALLED);
  }

  /**
   * @throws ConfigException if a procedure of the package is not the user's
   */
  static void requireOracle(Connection connection) throws SQLException {
    require(
        connection,
        "ORACLE_PROC_%S",
        "SELECT procedure_name FROM user_procedures"
            + " WHERE object_name = 'TPCCC_ORACLE' AND procedure_name IS NOT NULL",
        NONE_INSTALLED);
  }

  /**
   * @throws ConfigException if Citus would not hand a function's calls to the worker of their
   *     warehouse: on the coordinator they are slower than statements one by one
   */
  static void requireDistributed(Connection connection) throws SQLException {
    require(
        connection,
        POSTGRES_FUNCTION,
        "SELECT proname FROM pg_proc JOIN pg_dist_object ON objid = pg_proc.oid"
            + " WHERE proname LIKE 'bmsql%' AND classid = 'pg_proc'::regclass"
            + " AND distribution_argument_index IS NOT NULL",
        "Citus would run %s on the coordinator; this distributes them");
  }

  /**
   * @param wanted the format of their names, which take a transaction's
   * @param fault what is wrong where some are missing, with their names
   */
  private static void require(
      Connection connection, String wanted, String catalogQuery, String fault) throws SQLException {
    Set<String> missing = new TreeSet<>(TRANSACTIONS.stream().map(wanted::formatted).toList());
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(catalogQuery)) {
      while (rows.next()) {
        missing.remove(rows.getString(1));
      }
    }
    if (!missing.isEmpty()) {
      throw new ConfigException(
          "statementProfile=procedures: %s: java -jar driver.jar sql PROPS storedProcedureCreates"
              .formatted(fault.formatted(String.join(", ", missing))));
    }
    connection.commit();
  }
}
