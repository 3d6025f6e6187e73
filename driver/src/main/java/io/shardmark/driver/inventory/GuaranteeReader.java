package io.shardmark.driver.inventory;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.guarantees.GuaranteeFacts;
import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.Sharding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the settings that decide what a committed transaction survives and what it may see, on a
 * session such as those of the run. Each shard of the proxy is asked.
 */
public final class GuaranteeReader {
  private static final String POSTGRES =
      """
      SELECT name, coalesce(nullif(current_setting(name), ''), 'none') FROM pg_settings
       WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method',
                      'synchronous_standby_names', 'shared_buffers')
      UNION ALL
      SELECT 'unlogged_tables', coalesce(string_agg(relname::text, ', ' ORDER BY relname), 'none')
        FROM pg_class
       WHERE relkind = 'r' AND relpersistence = 'u' AND relname LIKE ? AND pg_table_is_visible(oid)
      UNION ALL
      SELECT 'data_size', pg_size_pretty(round(bytes, 2 - length(bytes::text)))
        FROM (SELECT sum(pg_total_relation_size(oid)) AS bytes
                FROM pg_class
               WHERE relkind = 'r' AND relname LIKE ? AND pg_table_is_visible(oid)) AS tables
       WHERE bytes > 0
       ORDER BY 1
      """;

  private static final String MYSQL =
      """
      SHOW GLOBAL VARIABLES WHERE variable_name IN (
        'innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'innodb_doublewrite',
        'innodb_flush_method', 'innodb_snapshot_isolation', 'innodb_buffer_pool_size',
        'rpl_semi_sync_source_timeout', 'rpl_semi_sync_source_wait_no_replica',
        'rpl_semi_sync_master_timeout', 'rpl_semi_sync_master_wait_no_slave')
      """;

  private static final String MYSQL_STATUS =
      """
      SHOW GLOBAL STATUS WHERE variable_name IN (
        'rpl_semi_sync_source_status', 'rpl_semi_sync_master_status')
      """;

  private static final String MYSQL_SIZE =
      """
      SELECT 'data_size', concat(0e0 + round(megabytes, 1 - floor(log10(megabytes))), ' MB')
        FROM (SELECT sum(data_length + index_length) / 1048576 AS megabytes
                FROM information_schema.tables
               WHERE table_schema = database() AND table_name LIKE ?) AS tables
       WHERE megabytes > 0
      """;

  private static final String ORACLE =
      "SELECT name, coalesce(value, 'wait') FROM v$parameter WHERE name IN ('commit_wait')"
          + " UNION ALL SELECT name, value FROM v$parameter"
          + " WHERE name IN ('commit_logging', 'commit_write') AND value IS NOT NULL"
          + " UNION ALL SELECT 'protection_mode', protection_mode FROM v$database";

  private static final int READING_SECONDS = 3;

  private GuaranteeReader() {}

  /**
   * What was read, each name after {@link SystemFacts#GUARANTEE}. What a user may not read is a
   * text that says so.
   *
   * @param connection auto-commit off; rolled back
   * @param tablePrefix how the names of the benchmark's tables begin, lower case
   * @throws SQLException if the connection is lost
   */
  public static Map<String, String> read(
      Connection connection, DatabaseKind kind, Optional<ShardMap> shards, String tablePrefix)
      throws SQLException {
    Map<String, String> facts = new LinkedHashMap<>();
    Map<String, String> settings;
    try {
      settings = settings(connection, kind, shards, tablePrefix);
    } catch (SQLException e) {
      settings = Map.of("settings", "not readable: " + FirstLine.of(e));
    }
    connection.rollback();
    settings.forEach((name, value) -> facts.put(SystemFacts.GUARANTEE + name, value));
    return facts;
  }

  /**
   * What a session of this kind is promised.
   *
   * @param connection auto-commit off; rolled back
   */
  public static Guarantees guarantees(
      Connection connection, DatabaseKind kind, Optional<ShardMap> shards) throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    read(connection, kind, shards, "")
        .forEach(
            (name, value) -> settings.put(name.substring(SystemFacts.GUARANTEE.length()), value));
    return Guarantees.of(kind, isolation(connection), settings);
  }

  /** The isolation level that transactions run at, in the words of the SQL standard. */
  public static String isolation(Connection connection) throws SQLException {
    return switch (connection.getTransactionIsolation()) {
      case Connection.TRANSACTION_READ_UNCOMMITTED -> "read uncommitted";
      case Connection.TRANSACTION_READ_COMMITTED -> "read committed";
      case Connection.TRANSACTION_REPEATABLE_READ -> "repeatable read";
      case Connection.TRANSACTION_SERIALIZABLE -> "serializable";
      default -> "none";
    };
  }

  private static Map<String, String> settings(
      Connection connection, DatabaseKind kind, Optional<ShardMap> shards, String tablePrefix)
      throws SQLException {
    String tables = tablePrefix.isEmpty() ? "" : tablePrefix.replace("_", "\\_") + "%";
    return switch (kind) {
      case POSTGRES -> {
        if (shards.isEmpty()) {
          yield pairs(connection, POSTGRES, tables, tables);
        }
        if (shards.get().sharding() == Sharding.CITUS) {
          Map<String, String> settings = pairs(connection, POSTGRES, tables, tables);
          settings.put(GuaranteeFacts.SHARDING, "citus");
          settings.remove(GuaranteeFacts.DATA_SIZE); // the coordinator's own, which is next to none
          yield settings;
        }
        yield ofProxy(connection, shards.get(), tables);
      }
      case MYSQL, MARIADB -> {
        Map<String, String> settings = pairs(connection, MYSQL);
        settings.putAll(pairs(connection, MYSQL_STATUS));
        settings.putAll(pairs(connection, MYSQL_SIZE, tables));
        yield settings;
      }
      case ORACLE -> pairs(connection, ORACLE);
      case FIREBIRD -> Map.of();
    };
  }

  private static Map<String, String> ofProxy(Connection connection, ShardMap map, String tables)
      throws SQLException {
    Map<String, Map<String, String>> servers = new LinkedHashMap<>();
    for (Shard shard : map.shards()) {
      execute(connection, "SET shardmark.shard = '%s'".formatted(shard.name().replace("'", "''")));
      servers.put(shard.name(), pairs(connection, POSTGRES, tables, tables));
      connection.rollback();
      execute(connection, "RESET shardmark.shard");
    }
    Map<String, String> settings = new LinkedHashMap<>(GuaranteeFacts.merged(servers));
    settings.put(GuaranteeFacts.SHARDING, "proxy");
    for (String key :
        new String[] {GuaranteeFacts.CROSS_SHARD_ISOLATION, GuaranteeFacts.SCATTER_READS}) {
      settings.put(key, FirstValue.text(connection, "SHOW shardmark." + key, READING_SECONDS));
    }
    return settings;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Map<String, String> pairs(Connection connection, String sql, String... parameters)
      throws SQLException {
    Map<String, String> pairs = new LinkedHashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setQueryTimeout(READING_SECONDS);
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          pairs.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
        }
      }
    }
    return pairs;
  }
}
