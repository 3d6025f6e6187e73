package io.shardmark.driver.run;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.config.LoadConfig;
import io.shardmark.loader.Load;
import io.shardmark.loader.Load.CompleteLoad;
import io.shardmark.loader.LoadConsole;
import io.shardmark.loader.LoadException;
import io.shardmark.loader.LoadSummary;
import io.shardmark.loader.ShardTarget;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataSet.Partitioning;
import io.shardmark.loader.keys.ParallelScript;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.jdbc.Tables;
import io.shardmark.sql.script.Existing;
import io.shardmark.sql.script.Script;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptParser;
import io.shardmark.sql.script.ScriptPart;
import io.shardmark.sql.script.ScriptRunner;
import io.shardmark.sql.script.ScriptSet;
import io.shardmark.sql.shards.CitusPlacement;
import io.shardmark.sql.shards.HashLayout;
import io.shardmark.sql.shards.HashPartition;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.ShardedScript;
import io.shardmark.sql.shards.Sharding;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes and drops the benchmark's tables: script steps one after the other, the load between them,
 * keys after it over several connections. The first step that fails ends it. Used by one thread.
 */
public final class DatabaseBuild {
  /** How many key values a layout over shards is made for if the data set names no number. */
  private static final int MANY_VALUES = 100_000;

  /** The longest wait for workers to notice a signal, and then for the end to be shown. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Path workingDirectory;
  private final Database database;
  private final ScriptSet scripts;
  private final int partitions;
  private final BuildConsole console;

  /** What is shown in addition to a line for each step. */
  public enum Echo {
    /** Nothing, until a step fails: then its SQL. */
    STEPS,
    /** Every statement, and BenchmarkSQL's lines of the load. */
    SQL
  }

  /**
   * @param scripts of the benchmark
   * @param partitions the fewest of each table that is spread over shards
   * @param workingDirectory where scripts that replace the built-in ones are looked for
   * @param out borrowed
   */
  public DatabaseBuild(
      Database database,
      ScriptSet scripts,
      int partitions,
      Path workingDirectory,
      PrintStream out,
      Echo echo) {
    this.database = database;
    this.scripts = scripts;
    this.partitions = partitions;
    this.workingDirectory = workingDirectory;
    this.console = new BuildConsole(out, echo);
  }

  /**
   * Creates tables, loads, and builds keys. A build that was interrupted goes on where it stopped:
   * what is there already is passed over.
   *
   * @throws LoadException if the database is loaded already, before anything is said or done, or if
   *     the load is not complete
   * @throws io.shardmark.sql.script.ScriptException if a statement fails
   */
  public void build(DataSet data, LoadConfig config)
      throws SQLException, LoadException, InterruptedException {
    long start = System.nanoTime();
    Existing existing = hasTable(data.tables().get(0).name()) ? Existing.SKIP : Existing.FAIL;
    if (existing == Existing.SKIP) {
      refuseBuilt(data);
    }
    console.line(head(data, config));
    if (existing == Existing.SKIP) {
      console.line("The tables are there already: the build goes on where it stopped.");
    }
    Optional<Sharding> sharding = sharding();
    runSteps(present(scripts.beforeLoad(), sharding), existing, () -> data);
    if (config.evenShards() && sharding.filter(by -> by == Sharding.CITUS).isPresent()) {
      evenShards(data);
    }
    long rows = loadStep(data, config);
    ParallelScript.Servers servers =
        sharding.isPresent() ? ParallelScript.Servers.SHARDS : ParallelScript.Servers.ONE;
    for (String step : present(scripts.afterLoad(), sharding)) {
      console.step(
          step,
          sql -> {
            new ParallelScript(
                    database.connections()::open, config.workers(), sql, existing, servers)
                .run(locator(sharding).locate(step));
            return "";
          });
    }
    Load.endBuild(database.connections()::open, data);
    console.line(
        String.format(
            Locale.ROOT,
            "Built %s in %.1f s%s%s",
            data.size(),
            (System.nanoTime() - start) / 1e9,
            rows == 0 ? "" : String.format(Locale.ROOT, ": %,d rows", rows),
            database.size(data.namePrefix()).map(", %s with indexes"::formatted).orElse("")));
  }

  /** The steps that are not left out; a line for each of the others. */
  private List<String> present(List<String> steps, Optional<Sharding> sharding) {
    ScriptLocator locator = locator(sharding);
    List<String> present = steps.stream().filter(step -> !locator.isLeftOut(step)).toList();
    steps.stream()
        .filter(step -> !present.contains(step))
        .forEach(
            step ->
                console.line(
                    "  %-24s left out: there is no %s.sql with your %s.sql"
                        .formatted(step, step, scripts.beforeLoad().get(0))));
    return present;
  }

  /** A user who may not move shards gets the rows where Citus puts them. */
  private void evenShards(DataSet data) throws SQLException, LoadException, InterruptedException {
    Optional<Partitioning> by = data.partitioning();
    if (by.isEmpty()) {
      return;
    }
    console.step(
        "evenShards",
        sql -> {
          try (Connection connection = database.connections().open()) {
            int moved = CitusPlacement.evenOut(connection, by.get().rootTable(), by.get().count());
            return moved + " shards moved";
          } catch (SQLException e) {
            return "left as they are: " + FirstLine.of(e);
          }
        });
  }

  private String head(DataSet data, LoadConfig config) {
    return "Building %s in %s as %s; loadWorkers=%d seed=%d"
        .formatted(
            data.size(),
            database.config().maskedUrl(),
            database.config().user(),
            config.workers(),
            config.seed());
  }

  private long loadStep(DataSet data, LoadConfig config)
      throws SQLException, LoadException, InterruptedException {
    long[] rows = new long[1];
    console.step(
        "load",
        sql -> {
          LoadSummary summary =
              console.echo() == Echo.SQL
                  ? load(data, config, database, CompleteLoad.KEEPS_JOURNAL)
                  : load(
                      data,
                      config,
                      database,
                      CompleteLoad.KEEPS_JOURNAL,
                      newConsole(LoadConsole.Lines.NOTES));
          rows[0] = summary.rows();
          return String.format(Locale.ROOT, "%,d rows, %,d rows/s", summary.rows(), summary.rate());
        });
    return rows[0];
  }

  /** What spreads the tables over several servers, even if there is no table yet. */
  private Optional<Sharding> sharding() throws SQLException {
    return database.shardMap().map(ShardMap::sharding);
  }

  private ScriptLocator locator(Optional<Sharding> sharding) {
    return locator(workingDirectory, database.config().database(), scripts, sharding);
  }

  /** Finds the scripts that a build runs. */
  static ScriptLocator locator(
      Path directory, DatabaseKind kind, ScriptSet scripts, Optional<Sharding> sharding) {
    return sharding
        .map(by -> ScriptLocator.forShards(directory, kind, scripts, by.scriptFolder()))
        .orElseGet(() -> new ScriptLocator(directory, kind, scripts));
  }

  /**
   * A build whose journal is gone came to its end.
   *
   * @throws LoadException if the tables have rows and there is no journal
   */
  private void refuseBuilt(DataSet data) throws SQLException, LoadException {
    if (hasTable(data.journalTable())) {
      return;
    }
    try (Connection connection = database.connections().open()) {
      // All may be truncated but the table that is filled last.
      String table = data.unit(0).tables().get(0).name();
      if (FirstValue.number(connection, "SELECT count(*) FROM " + table) > 0) {
        Optional<String> loaded = data.loadedSize(connection);
        if (loaded.isPresent()) {
          throw LoadException.alreadyLoaded(data, loaded.get());
        }
      }
    }
  }

  /** Drops everything that {@link #build} made. */
  public void destroy(DataSet data) throws SQLException, LoadException, InterruptedException {
    console.line(
        "Dropping all tables in %s as %s"
            .formatted(database.config().maskedUrl(), database.config().user()));
    runSteps(
        scripts.destroy(),
        Existing.FAIL,
        () -> {
          throw new IllegalStateException("a script that drops tables makes one over shards");
        });
    Load.forget(database.connections()::open, data);
  }

  /**
   * Runs one script, a file or a step's name, and shows its SQL.
   *
   * @param data what will be loaded; asked only if tables are spread over shards for it
   * @param sql borrowed; where the statements are shown
   */
  public void runScript(String nameOrFile, Supplier<DataSet> data, PrintStream sql)
      throws SQLException {
    Optional<Sharding> sharding = sharding();
    try (Connection connection = database.connections().open()) {
      ScriptRunner runner = new ScriptRunner(connection, sql);
      run(runner, locator(sharding).locate(nameOrFile), sharding, data);
    }
  }

  private void runSteps(List<String> steps, Existing existing, Supplier<DataSet> data)
      throws SQLException, LoadException, InterruptedException {
    Optional<Sharding> sharding = sharding();
    try (Connection connection = database.connections().open()) {
      for (String step : steps) {
        console.step(
            step,
            sql -> {
              ScriptRunner runner = new ScriptRunner(connection, sql, existing);
              run(runner, locator(sharding).locate(step), sharding, data);
              return "";
            });
      }
    }
  }

  private void run(
      ScriptRunner runner, Script script, Optional<Sharding> sharding, Supplier<DataSet> data)
      throws SQLException {
    if (sharding.isEmpty() || sharding.get() != Sharding.PROXY) {
      runner.run(script);
      return;
    }
    runner.begin(script.location());
    List<ScriptPart> parts = ScriptParser.parse(script);
    int first = ShardedScript.firstToExpand(parts);
    if (first == parts.size()) {
      ShardMap map = database.shardMap().orElseThrow();
      runner.run(script.location(), ShardedScript.withStorageOfPartitions(parts, map));
      return;
    }
    // An endpoint without a table names no shards: the tables before the first that is spread go
    // ahead.
    runner.run(script.location(), parts.subList(0, first));
    int values = data.get().partitioning().map(Partitioning::count).orElse(MANY_VALUES);
    List<HashPartition> layout = HashLayout.of(values, shardCount(), partitions);
    runner.run(
        script.location(),
        ShardedScript.withPartitions(parts.subList(first, parts.size()), layout));
  }

  private int shardCount() throws SQLException {
    int shards = database.shardMap().map(map -> map.shards().size()).orElse(0);
    if (shards == 0) {
      throw new ConfigException(
          "the endpoint names no shards; create a table that is whole on every shard first, as the"
              + " built-in tableCreates does");
    }
    return shards;
  }

  private boolean hasTable(String name) throws SQLException {
    try (Connection connection = database.connections().open()) {
      return Tables.exists(connection, name);
    }
  }

  /**
   * Loads the rows into tables that exist, or into CSV files, with the lines of BenchmarkSQL's
   * loader. Ctrl-C ends it cleanly.
   *
   * @param database null if the rows go to files
   */
  public static LoadSummary load(
      DataSet data, LoadConfig config, @Nullable Database database, CompleteLoad complete)
      throws LoadException {
    LoadConsole console = newConsole(LoadConsole.Lines.ALL);
    if (database != null) {
      console.printSettings(database.config(), config, data);
    }
    LoadSummary summary = load(data, config, database, complete, console);
    console.printSummary(summary);
    return summary;
  }

  private static LoadConsole newConsole(LoadConsole.Lines lines) {
    return new LoadConsole(System.out, System.err, LoadConsole.progressOf(System.console()), lines);
  }

  private static LoadSummary load(
      DataSet data,
      LoadConfig config,
      @Nullable Database database,
      CompleteLoad complete,
      LoadConsole console)
      throws LoadException {
    Load load = new Load(data, config, LocalDateTime.now(ZoneId.systemDefault()), console);
    StopSignal signal = new StopSignal("load", PATIENCE, () -> stop(load));
    try (signal) {
      return load.run(() -> open(database), shards(database), complete);
    }
  }

  /** Rows on their way are rolled back, and {@link Load#run} fails with what is missing. */
  private static void stop(Load load) {
    System.err.println();
    System.err.println("Stopping the load ...");
    try {
      if (!load.stop(PATIENCE)) {
        System.err.println("the load did not stop in time; what it had not committed is lost");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Optional<ShardTarget> shards(@Nullable Database database) throws LoadException {
    if (database == null) {
      return Optional.empty();
    }
    try {
      return database
          .shardMap()
          .filter(ShardMap::isOfProxy)
          .map(map -> new ShardTarget(map, database::openShard));
    } catch (SQLException e) {
      throw new LoadException("cannot read the shard map: " + FirstLine.of(e), e);
    }
  }

  private static Connection open(@Nullable Database database) throws SQLException {
    if (database == null) {
      throw new SQLException("a load into files asked for a connection");
    }
    return database.connections().open();
  }
}
