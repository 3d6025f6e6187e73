package io.shardmark.driver.run;

import io.shardmark.config.LoadConfig;
import io.shardmark.loader.Load;
import io.shardmark.loader.LoadConsole;
import io.shardmark.loader.LoadException;
import io.shardmark.loader.keys.ParallelScript;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptStep;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
  /** How long an interrupted load may take to finish the rows that are on their way. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

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
   * Creates tables, loads, and builds keys. A build whose load was interrupted goes on where it
   * stopped.
   *
   * @throws LoadException if the load is not complete
   * @throws io.shardmark.sql.script.ScriptException if a statement fails
   */
  public void build(LoadConfig config) throws SQLException, LoadException, InterruptedException {
    if (hasTables()) {
      out.println("The tables are there already: the load goes on where it stopped.");
    } else {
      runSteps(ScriptStep.beforeLoad());
    }
    load(config, database);
    for (ScriptStep step : ScriptStep.afterLoad()) {
      new ParallelScript(this::openChecked, config.workers(), out).run(locator.locate(step));
    }
  }

  private Connection openChecked() {
    return database.connections().open();
  }

  /** Drops everything that {@link #build} made. */
  public void destroy() throws SQLException {
    runSteps(ScriptStep.destroy());
  }

  /** Runs one script: a file, or a step's name. */
  public void runScript(String nameOrFile) throws SQLException {
    try (Connection connection = database.connections().open()) {
      new ScriptRunner(connection, out).run(locator.locate(nameOrFile));
    }
  }

  private void runSteps(List<ScriptStep> steps) throws SQLException {
    try (Connection connection = database.connections().open()) {
      ScriptRunner runner = new ScriptRunner(connection, out);
      for (ScriptStep step : steps) {
        runner.run(locator.locate(step));
      }
    }
  }

  private boolean hasTables() throws SQLException {
    try (Connection connection = database.connections().open()) {
      boolean upperCase = connection.getMetaData().storesUpperCaseIdentifiers();
      String table = upperCase ? "BMSQL_CONFIG" : "bmsql_config".toLowerCase(Locale.ROOT);
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
    LoadConsole console =
        new LoadConsole(System.out, System.err, LoadConsole.progressOf(System.console()));
    Load load = new Load(config, LocalDateTime.now(ZoneId.systemDefault()), console);
    Thread hook = new Thread(() -> stop(load), "signal");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      console.printSummary(
          load.run(
              () -> {
                if (database == null) {
                  throw new SQLException("a load into files asked for a connection");
                }
                return database.connections().open();
              }));
    } finally {
      removeHook(hook);
    }
  }

  private static void stop(Load load) {
    try {
      load.stop(STOP_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down already and the hook is what ended the load.
      return;
    }
  }
}
