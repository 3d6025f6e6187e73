package io.shardmark.driver.tpcc.statements;

import io.shardmark.config.ConfigException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;

/** Asks the catalog whether the procedures are there, before the first terminal misses them. */
final class InstalledProcedures {
  private static final Set<String> POSTGRES_FUNCTIONS =
      Set.of(
          "bmsql_proc_new_order",
          "bmsql_proc_payment",
          "bmsql_proc_order_status",
          "bmsql_proc_stock_level",
          "bmsql_proc_delivery_bg");

  private static final Set<String> ORACLE_PROCEDURES =
      Set.of(
          "ORACLE_PROC_NEW_ORDER",
          "ORACLE_PROC_PAYMENT",
          "ORACLE_PROC_ORDER_STATUS",
          "ORACLE_PROC_STOCK_LEVEL",
          "ORACLE_PROC_DELIVERY_BG");

  private InstalledProcedures() {}

  /**
   * @throws ConfigException if a function is not in the search path
   */
  static void requirePostgres(Connection connection) throws SQLException {
    require(
        connection,
        POSTGRES_FUNCTIONS,
        "SELECT proname FROM pg_catalog.pg_proc"
            + " WHERE proname LIKE 'bmsql%' AND pg_catalog.pg_function_is_visible(oid)");
  }

  /**
   * @throws ConfigException if a procedure of the package is not the user's
   */
  static void requireOracle(Connection connection) throws SQLException {
    require(
        connection,
        ORACLE_PROCEDURES,
        "SELECT procedure_name FROM user_procedures"
            + " WHERE object_name = 'TPCCC_ORACLE' AND procedure_name IS NOT NULL");
  }

  /**
   * @throws ConfigException if Citus would not hand a function's calls to the worker of their
   *     warehouse: on the coordinator they are slower than statements one by one
   */
  static void requireDistributed(Connection connection) throws SQLException {
    Set<String> missing =
        missing(
            connection,
            POSTGRES_FUNCTIONS,
            "SELECT proname FROM pg_proc JOIN pg_dist_object ON objid = pg_proc.oid"
                + " WHERE proname LIKE 'bmsql%' AND classid = 'pg_proc'::regclass"
                + " AND distribution_argument_index IS NOT NULL");
    if (!missing.isEmpty()) {
      throw new ConfigException(
          "statementProfile=procedures: Citus would run %s on the coordinator; this distributes them: java -jar driver.jar sql PROPS storedProcedureCreates"
              .formatted(String.join(", ", missing)));
    }
  }

  private static void require(Connection connection, Set<String> wanted, String catalogQuery)
      throws SQLException {
    Set<String> missing = missing(connection, wanted, catalogQuery);
    connection.commit();
    if (!missing.isEmpty()) {
      throw new ConfigException(
          "statementProfile=procedures: the database has no %s; this installs them: java -jar driver.jar sql PROPS storedProcedureCreates"
              .formatted(String.join(", ", missing)));
    }
  }

  private static Set<String> missing(Connection connection, Set<String> wanted, String catalogQuery)
      throws SQLException {
    Set<String> missing = new TreeSet<>(wanted);
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(catalogQuery)) {
      while (rows.next()) {
        missing.remove(rows.getString(1));
      }
    }
    return missing;
  }
}
