package io.shardmark.driver.run;

import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.Sharding;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What the server and its JDBC driver say about themselves, for the record of a run. */
final class ServerFacts {
  /** Not every user may read how nodes connect to each other. */
  private static final String CITUS =
      "SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus'),"
          + " (SELECT max(parts) FROM (SELECT count(*) AS parts FROM pg_dist_shard s"
          + " JOIN pg_dist_partition d ON d.logicalrelid = s.logicalrelid"
          + " WHERE d.partmethod = 'h' GROUP BY s.logicalrelid) of_table),"
          + " (SELECT setting FROM pg_settings WHERE name = 'citus.node_conninfo')";

  private ServerFacts() {}

  /**
   * @param connection borrowed; a transaction may be open on it
   */
  static Map<String, String> read(Connection connection, Optional<ShardMap> shards)
      throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("product", meta.getDatabaseProductName());
    // Oracle's version has several lines.
    facts.put("version", meta.getDatabaseProductVersion().lines().findFirst().orElse(""));
    facts.put("jdbcDriver", meta.getDriverName() + " " + meta.getDriverVersion());
    if (shards.isPresent() && shards.get().sharding() == Sharding.CITUS) {
      facts.putAll(citus(connection, shards.get()));
    }
    return facts;
  }

  private static Map<String, String> citus(Connection connection, ShardMap map)
      throws SQLException {
    Map<String, String> facts = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(CITUS)) {
      row.next();
      facts.put("citus", row.getString(1));
      facts.put("citusNodes", Integer.toString(map.shards().size()));
      facts.put("citusShardsOfTable", row.getString(2));
      String tls = row.getString(3);
      facts.put("citusNodeConnections", tls == null ? "not readable" : tls);
    }
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
