package io.shardmark.driver.run;

import io.shardmark.config.LoadConfig;
import io.shardmark.loader.Load;
import io.shardmark.loader.LoadConsole;
import io.shardmark.loader.LoadException;
import io.shardmark.loader.StopOnShutdown;
import io.shardmark.loader.keys.ParallelScript;
import io.shardmark.sql.script.Existing;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptStep;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes and drops the benchmark's tables: script steps one after the other, the load between them,
 * keys after it over several connections. The first step that fails ends it. Used by one thread.
 */
public final class DatabaseBuild {
  private final ScriptLocator locator;
  private final Database database;
  private final PrintStream out;

  /**
   * @param workingDirectory where scripts that replace the built-in ones are looked for
   * @param out borrowed; gets BenchmarkSQL's lines
   */
  public DatabaseBuild(Database database, Path workingDirectory, PrintStream out) {
    this.database = database;
    this.locator = new ScriptLocator(workingDirectory, database.config().database());
    this.out = out;
  }

  /**
   * Creates tables, loads, and builds keys. A build that was interrupted goes on where it stopped:
   * what is there already is passed over.
   *
   * @throws LoadException if the load is not complete
   * @throws io.shardmark.sql.script.ScriptException if a statement fails
   */
  public void build(LoadConfig config) throws SQLException, LoadException, InterruptedException {
    Existing existing = hasTables() ? Existing.SKIP : Existing.FAIL;
    if (existing == Existing.SKIP) {
      out.println("The tables are there already: the build goes on where it stopped.");
    }
    boolean onlyKeysMissing = existing == Existing.SKIP && lacksOnlyKeys(config);
    if (!onlyKeysMissing) {
      runSteps(ScriptStep.beforeLoad(), existing);
      load(config, database);
    }
    for (ScriptStep step : ScriptStep.afterLoad()) {
      new ParallelScript(this::openChecked, config.workers(), out, existing)
          .run(locator.locate(step));
    }
  }

  /**
   * True if the load is complete but the last key of a build is missing: the one of bmsql_history,
   * which extraHistID makes. A database with all its keys is left to the loader, which refuses it.
   */
  private boolean lacksOnlyKeys(LoadConfig config) throws SQLException {
    try (Connection connection = database.connections().open();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT cfg_value FROM bmsql_config WHERE cfg_name = 'warehouses'");
        ResultSet loaded = select.executeQuery()) {
      return loaded.next()
          && loaded.getString(1).equals(Integer.toString(config.warehouses()))
          && !hasPrimaryKey(connection, "bmsql_history");
    }
  }

  private static boolean hasPrimaryKey(Connection connection, String table) throws SQLException {
    try (ResultSet key =
        connection
            .getMetaData()
            .getPrimaryKeys(
                connection.getCatalog(), connection.getSchema(), stored(connection, table))) {
      return key.next();
    }
  }

  /** A name as the database keeps it. */
  private static String stored(Connection connection, String name) throws SQLException {
    return connection.getMetaData().storesUpperCaseIdentifiers()
        ? name.toUpperCase(Locale.ROOT)
        : name;
  }

  private Connection openChecked() {
    return database.connections().open();
  }

  /** Drops everything that {@link #build} made. */
  public void destroy() throws SQLException {
    runSteps(ScriptStep.destroy(), Existing.FAIL);
  }

  /** Runs one script: a file, or a step's name. */
  public void runScript(String nameOrFile) throws SQLException {
    try (Connection connection = database.connections().open()) {
      new ScriptRunner(connection, out).run(locator.locate(nameOrFile));
    }
  }

  private void runSteps(List<ScriptStep> steps, Existing existing) throws SQLException {
    try (Connection connection = database.connections().open()) {
      ScriptRunner runner = new ScriptRunner(connection, out, existing);
      for (ScriptStep step : steps) {
        runner.run(locator.locate(step));
      }
    }
  }

  private boolean hasTables() throws SQLException {
    try (Connection connection = database.connections().open()) {
      String table = stored(connection, "bmsql_config");
      try (ResultSet found =
          connection
              .getMetaData()
              .getTables(connection.getCatalog(), connection.getSchema(), table, null)) {
        return found.next();
      }
    }
  }

  /**
   * Loads the population into tables that exist, or into CSV files. Ctrl-C ends it cleanly.
   *
   * @param database null if the rows go to files
   */
  public static void load(LoadConfig config, @Nullable Database database) throws LoadException {
    PrintStream err = System.err;
    LoadConsole console =
        new LoadConsole(System.out, err, LoadConsole.progressOf(System.console()));
    if (database != null) {
      console.printSettings(database.config(), config);
    }
    Load load = new Load(config, LocalDateTime.now(ZoneId.systemDefault()), console);
    try (StopOnShutdown stop = StopOnShutdown.install(load, err)) {
      try {
        console.printSummary(load.run(() -> open(database)));
      } catch (LoadException e) {
        if (stop.isStopping()) {
          // The process ends as soon as this method returns, before its caller can say it.
          err.println("ERROR: " + e.getMessage());
        }
        throw e;
      }
    }
  }

  private static Connection open(@Nullable Database database) throws SQLException {
    if (database == null) {
      throw new SQLException("a load into files asked for a connection");
    }
    return database.connections().open();
  }
}
