package io.shardmark.driver.inventory;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.jdbc.Tables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * Reads what a server says of itself into the texts of {@link SystemFacts}. Its queries read
 * catalogs, and one number of the benchmark's own.
 */
public final class Inventory {
  /**
   * Names and texts that are not the default. Left out: what says where a server is and how it
   * logs, what each JDBC connection sets, and whatever may hold a secret.
   */
  private static final String POSTGRES_SETTINGS =
      """
      SELECT name, current_setting(name) FROM pg_settings
       WHERE setting IS DISTINCT FROM boot_val
         AND (source NOT IN ('default', 'override')
              OR name IN ('data_checksums', 'wal_segment_size', 'debug_assertions'))
         AND category NOT LIKE 'Reporting and Logging%'
         AND category NOT IN ('File Locations', 'Client Connection Defaults / Locale and Formatting')
         AND name !~ '(conninfo|command|password|passphrase|secret|token|_file$|director|_dir$|^ssl_|^krb_)'
         AND name NOT IN ('port', 'listen_addresses', 'application_name', 'cluster_name',
             'default_transaction_isolation', 'transaction_isolation', 'extra_float_digits',
             'bonjour_name', 'unix_socket_group', 'unix_socket_permissions')
       ORDER BY name
      """;

  /** Of a server with several hundred variables, those that decide speed or durability. */
  private static final String MYSQL_SETTINGS =
      """
      SHOW GLOBAL VARIABLES WHERE variable_name IN (
        'autocommit', 'binlog_format', 'binlog_group_commit_sync_delay', 'binlog_row_image',
        'innodb_adaptive_hash_index', 'innodb_buffer_pool_instances', 'innodb_buffer_pool_size',
        'innodb_change_buffering', 'innodb_checksum_algorithm', 'innodb_doublewrite',
        'innodb_flush_log_at_trx_commit', 'innodb_flush_method', 'innodb_io_capacity',
        'innodb_lock_wait_timeout', 'innodb_log_buffer_size', 'innodb_log_file_size',
        'innodb_page_size', 'innodb_redo_log_capacity', 'innodb_thread_concurrency', 'log_bin',
        'max_connections', 'performance_schema', 'query_cache_type', 'sync_binlog',
        'thread_handling')
      """;

  private static final String ORACLE_SETTINGS =
      "SELECT name, value FROM v$parameter WHERE isdefault = 'FALSE' AND name NOT LIKE '%file%'"
          + " AND name NOT LIKE '%dest%' AND name NOT LIKE '%listener%' ORDER BY name";

  private static final String EXTENSIONS =
      "SELECT coalesce(string_agg(extname || ' ' || extversion, ', ' ORDER BY extname), '')"
          + " FROM pg_extension WHERE extname <> 'plpgsql'";

  private static final String TABLES =
      """
      SELECT relname, concat_ws(', ', CASE relpersistence WHEN 'u' THEN 'unlogged' END,
                                array_to_string(reloptions, ', '))
        FROM pg_class
       WHERE relkind IN ('r', 'p') AND relname LIKE ? AND pg_table_is_visible(oid)
         AND (relpersistence <> 'p' OR reloptions IS NOT NULL)
       ORDER BY relname
      """;

  /** Names and definitions; an index that is not valid is of no use, and so is missing. */
  private static final String KEYS =
      """
      WITH tables AS (SELECT oid, relname FROM pg_class
                       WHERE relkind IN ('r', 'p') AND relname LIKE ? AND pg_table_is_visible(oid))
      SELECT conname, relname || ' ' || pg_get_constraintdef(c.oid)
        FROM pg_constraint c JOIN tables t ON t.oid = conrelid
       WHERE contype IN ('p', 'u', 'f', 'x') AND convalidated AND conparentid = 0
      UNION ALL
      SELECT i.relname, regexp_replace(pg_get_indexdef(x.indexrelid),
                                       '^CREATE (UNIQUE )?INDEX .* ON (ONLY )?([^ ]*[.])?', '\\1')
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN tables t ON t.oid = x.indrelid
       WHERE x.indisvalid AND NOT EXISTS (SELECT FROM pg_constraint c
                                           WHERE c.conindid = x.indexrelid AND contype <> 'f')
       ORDER BY 1
      """;

  private static final String BYTES =
      "SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
          + " WHERE relkind = 'r' AND relname LIKE '%s%%' AND pg_table_is_visible(oid)";

  private static final String OTHER_SESSIONS =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

  /** A table that somebody has locked does not keep a run from its start. */
  private static final int READING_SECONDS = 3;

  private final Connection connection;
  private final InventoryScope scope;
  private final Map<String, String> facts = new LinkedHashMap<>();

  /**
   * What is the benchmark's in the database.
   *
   * @param tablePrefix how the names of its tables begin, lower case
   * @param journalTable that a build leaves until its last step has ended; empty if there is none
   * @param keys those that a build makes; none if that is not known
   * @param headlineCount {@link io.shardmark.driver.benchmark.Workload#headlineCount}
   */
  public record InventoryScope(
      String tablePrefix, String journalTable, Set<String> keys, Optional<String> headlineCount) {}

  private Inventory(Connection connection, InventoryScope scope) {
    this.connection = connection;
    this.scope = scope;
  }

  /** One reading, which may be refused. */
  @FunctionalInterface
  private interface InventoryQuery {
    void read() throws SQLException;
  }

  /**
   * @param connection auto-commit off; rolled back
   * @return names of {@link SystemFacts} with their texts; few for a server that is not known
   * @throws SQLException if the connection is lost
   */
  public static Map<String, String> read(
      Connection connection, DatabaseKind kind, InventoryScope scope) throws SQLException {
    Inventory inventory = new Inventory(connection, scope);
    inventory.readServer(kind);
    inventory.readHeadlines();
    inventory.readBuild();
    connection.rollback();
    return inventory.facts;
  }

  /** The same of an endpoint over several servers, of which each has its own settings. */
  public static Map<String, String> readOverServers(Connection connection, InventoryScope scope)
      throws SQLException {
    Inventory inventory = new Inventory(connection, scope);
    inventory.readHeadlines();
    inventory.readBuild();
    connection.rollback();
    return inventory.facts;
  }

  private void readServer(DatabaseKind kind) throws SQLException {
    switch (kind) {
      case POSTGRES -> {
        tryTo(SystemFacts.SETTINGS, () -> readSettings(POSTGRES_SETTINGS));
        tryTo(SystemFacts.EXTENSIONS, () -> put(SystemFacts.EXTENSIONS, EXTENSIONS));
        if (!scope.tablePrefix().isEmpty()) {
          tryTo(SystemFacts.KEYS, this::readKeys);
          tryTo(
              SystemFacts.BYTES_AT_START,
              () -> put(SystemFacts.BYTES_AT_START, BYTES.formatted(scope.tablePrefix())));
        }
        tryTo(SystemFacts.OTHER_SESSIONS, () -> put(SystemFacts.OTHER_SESSIONS, OTHER_SESSIONS));
      }
      case MYSQL, MARIADB -> tryTo(SystemFacts.SETTINGS, () -> readSettings(MYSQL_SETTINGS));
      case ORACLE -> tryTo(SystemFacts.SETTINGS, () -> readSettings(ORACLE_SETTINGS));
      case FIREBIRD -> {}
    }
  }

  private void readHeadlines() throws SQLException {
    if (scope.headlineCount().isPresent()) {
      String query = scope.headlineCount().get();
      tryTo(SystemFacts.HEADLINES_AT_START, () -> put(SystemFacts.HEADLINES_AT_START, query));
    }
  }

  /** On every database, also where no catalog names the keys. */
  private void readBuild() throws SQLException {
    if (!scope.journalTable().isEmpty() && Tables.exists(connection, scope.journalTable())) {
      facts.merge(
          SystemFacts.KEYS_MISSING,
          SystemFacts.BUILD_UNFINISHED,
          (keys, unfinished) -> unfinished + SystemFacts.BETWEEN + keys);
    }
  }

  /** What a user may not read is said, and no reason not to run. */
  private void tryTo(String name, InventoryQuery query) throws SQLException {
    try {
      query.read();
    } catch (SQLException e) {
      connection.rollback();
      facts.put(name, "not readable: " + FirstLine.of(e));
    }
  }

  private void put(String name, String sql) throws SQLException {
    facts.put(name, FirstValue.text(connection, sql, READING_SECONDS));
  }

  private void readSettings(String sql) throws SQLException {
    int settings = 0;
    try (PreparedStatement statement = prepare(sql);
        ResultSet rows = statement.executeQuery()) {
      for (; rows.next(); settings++) {
        facts.put(
            SystemFacts.SETTING + rows.getString(1),
            Optional.ofNullable(rows.getString(2)).orElse(""));
      }
    }
    facts.put(SystemFacts.SETTINGS, Integer.toString(settings));
  }

  private void readKeys() throws SQLException {
    Set<String> missing = new TreeSet<>(scope.keys());
    StringJoiner extra = new StringJoiner(SystemFacts.BETWEEN);
    int keys = 0;
    Map<String, String> definitions = pairs(KEYS);
    for (Map.Entry<String, String> key : definitions.entrySet()) {
      keys++;
      if (!missing.remove(key.getKey()) && !scope.keys().isEmpty()) {
        extra.add(key.getValue());
      }
    }
    StringJoiner tables = new StringJoiner(SystemFacts.BETWEEN);
    pairs(TABLES).forEach((table, options) -> tables.add(table + " " + options));
    facts.put(SystemFacts.KEYS, Integer.toString(keys));
    facts.put(SystemFacts.KEYS_MISSING, String.join(SystemFacts.BETWEEN, missing));
    facts.put(SystemFacts.KEYS_EXTRA, extra.toString());
    facts.put(SystemFacts.TABLES, tables.toString());
    facts.values().removeIf(String::isEmpty);
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setQueryTimeout(READING_SECONDS);
    return statement;
  }

  /** Rows of a name and a text, of the benchmark's tables. */
  private Map<String, String> pairs(String sql) throws SQLException {
    Map<String, String> pairs = new LinkedHashMap<>();
    try (PreparedStatement statement = prepare(sql)) {
      statement.setString(1, scope.tablePrefix().replace("_", "\\_") + "%");
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          pairs.put(rows.getString(1), rows.getString(2));
        }
      }
    }
    return pairs;
  }
}
