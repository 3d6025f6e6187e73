package io.shardmark.loader;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.LoadConfig;
import io.shardmark.config.LoadDirect;
import io.shardmark.config.Secret;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.tpcc.PopulationTable;
import io.shardmark.loader.tpcc.TpccDataSet;
import io.shardmark.sql.embedded.EmbeddedServer;
import io.shardmark.sql.script.Script;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptStep;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** A real PostgreSQL with the TPC-C tables, for tests of the loader. */
final class LoadDatabase implements AutoCloseable {
  static final LocalDateTime LOAD_TIME = LocalDateTime.of(2026, 1, 2, 3, 4, 5, 678_000_000);
  static final long SEED = 20_261_120;

  private static final String USER = "benchmarksql";
  private static final Secret PASSWORD = new Secret("PWbmsql");

  private final EmbeddedServer server =
      EmbeddedServer.start(
          "embedded:postgres?memory=256MB", USER, PASSWORD, "tpcc", 20, System.out::println);

  Connection open() throws SQLException {
    return DriverManager.getConnection(
        server.jdbcUrl() + "?reWriteBatchedInserts=true", USER, PASSWORD.value());
  }

  /** Makes the tables anew, empty. */
  void createTables() throws SQLException {
    runStep(ScriptStep.TABLE_DROPS);
    execute("drop table if exists bmsql_load_progress");
    runStep(ScriptStep.TABLE_CREATES);
  }

  static Script script(ScriptStep step) {
    return new ScriptLocator(
            Path.of("no such directory"), DatabaseKind.POSTGRES, ScriptStep.scripts())
        .locate(step);
  }

  void runStep(ScriptStep step) throws SQLException {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    try (Connection connection = open()) {
      new ScriptRunner(connection, nowhere).run(script(step));
    }
  }

  static LoadConfig config(int workers) {
    return new LoadConfig(
        workers, Optional.empty(), "NULL", SEED, false, LoadDirect.AUTO, true, 16);
  }

  static DataSet warehouses(int count) {
    return new TpccDataSet(count, 1, count);
  }

  /** Loads with nobody watching. */
  LoadSummary load(DataSet data, LoadConfig config) throws LoadException {
    return new Load(data, config, LOAD_TIME, LoadListener.NONE)
        .run(this::open, Optional.empty(), Load.CompleteLoad.DROPS_JOURNAL);
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  String query(String sql) throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "no row";
    }
  }

  long count(PopulationTable table) throws SQLException {
    return Long.parseLong(query("select count(*) from " + table.table().name()));
  }

  /** Number of rows and a hash over all values of each table, whatever the order of the rows. */
  Map<PopulationTable, String> content() throws SQLException {
    Map<PopulationTable, String> content = new EnumMap<>(PopulationTable.class);
    for (PopulationTable table : PopulationTable.values()) {
      content.put(
          table,
          query(
              "select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)"
                  + " from (select "
                  + table.table().columnList()
                  + " from "
                  + table.table().name()
                  + ") t"));
    }
    return content;
  }

  @Override
  public void close() {
    server.close();
  }
}
