package io.shardmark.driver.run;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the server and its JDBC driver say about themselves, for the record of a run. */
final class ServerFacts {
  private ServerFacts() {}

  static Map<String, String> read(Connection connection) throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("product", meta.getDatabaseProductName());
    // Oracle's version has several lines.
    facts.put("version", meta.getDatabaseProductVersion().lines().findFirst().orElse(""));
    facts.put("jdbcDriver", meta.getDriverName() + " " + meta.getDriverVersion());
    return facts;
  }

  /** The isolation level that transactions run at, in the words of the SQL standard. */
  static String isolation(Connection connection) throws SQLException {
    return switch (connection.getTransactionIsolation()) {
      case Connection.TRANSACTION_READ_UNCOMMITTED -> "read uncommitted";
      case Connection.TRANSACTION_READ_COMMITTED -> "read committed";
      case Connection.TRANSACTION_REPEATABLE_READ -> "repeatable read";
      case Connection.TRANSACTION_SERIALIZABLE -> "serializable";
      default -> "none";
    };
  }
}
