package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.driver.console.LibraryLog;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.run.DatabaseBuild;
import io.shardmark.driver.run.ExitStatus;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.Load.CompleteLoad;
import io.shardmark.loader.data.DataSet;
import io.shardmark.sql.embedded.EmbeddedConn;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs that fill and empty a database, and what all verbs with a database have in common. */
final class DatabaseVerbs {
  private static final String ERROR_LOG = "benchmarksql-error.log";

  private DatabaseVerbs() {}

  /** The option of verbs that send scripts to a database. */
  static final class Verbosity {
    @Option(
        names = {"-v", "--verbose"},
        description = "shows every SQL statement, and the load as BenchmarkSQL does")
    private boolean verbose;

    DatabaseBuild.Echo echo() {
      return verbose ? DatabaseBuild.Echo.SQL : DatabaseBuild.Echo.STEPS;
    }
  }

  /** {@code build}: tables, load, keys. */
  @Command(
      name = "build",
      description = "Creates the tables, loads them, and builds keys and indexes.")
  static int build(@Mixin PropertiesArguments arguments, @Mixin Verbosity verbosity)
      throws Exception {
    BenchmarkProperties properties = arguments.read();
    DataSet data = dataSet(properties);
    return with(
        properties,
        properties.load().workers() + 1,
        database -> {
          newBuild(properties, database, verbosity.echo()).build(data, properties.load());
          say(
              isKept(properties.connection())
                  ? "Next: java -jar driver.jar run " + arguments.words()
                  : "Nothing of it is kept: the server ends with this command;"
                      + " the option data=DIR of conn keeps its files");
          return ExitStatus.OK;
        });
  }

  /** {@code load}: the rows alone, into tables that exist or into CSV files. */
  @Command(
      name = "load",
      description =
          "Loads the rows into existing tables, or writes CSV files if fileLocation is set.")
  static int load(@Mixin PropertiesArguments arguments) throws Exception {
    BenchmarkProperties properties = arguments.read();
    DataSet data = dataSet(properties);
    if (properties.load().filePrefix().isPresent()) {
      warn(properties.warnings());
      DatabaseBuild.load(data, properties.load(), null, CompleteLoad.DROPS_JOURNAL);
      return ExitStatus.OK;
    }
    return with(
        properties,
        properties.load().workers() + 1,
        database -> {
          DatabaseBuild.load(data, properties.load(), database, CompleteLoad.DROPS_JOURNAL);
          return ExitStatus.OK;
        });
  }

  /** {@code destroy}: drops everything that {@code build} made. */
  @Command(name = "destroy", description = "Drops the tables and procedures.")
  static int destroy(@Mixin PropertiesArguments arguments, @Mixin Verbosity verbosity)
      throws Exception {
    BenchmarkProperties properties = arguments.read();
    DataSet data = dataSet(properties);
    return with(
        properties,
        1,
        database -> {
          newBuild(properties, database, verbosity.echo()).destroy(data);
          return ExitStatus.OK;
        });
  }

  /** {@code sql}: runs one script. */
  @Command(name = "sql", description = "Runs a SQL script: a file, or a step such as tableCreates.")
  static int sql(
      @Parameters(
              index = "0",
              paramLabel = "PROPS",
              description = "properties file, as BenchmarkSQL's")
          Path file,
      @Parameters(
              index = "1",
              paramLabel = "SQL_FILE_OR_STEP",
              description = "a file that ends in .sql, or a step's name")
          String script)
      throws Exception {
    BenchmarkProperties properties = BenchmarkProperties.read(Benchmarks.KEYS, file, List.of());
    return with(
        properties,
        1,
        database -> {
          newBuild(properties, database, DatabaseBuild.Echo.SQL)
              .runScript(script, () -> dataSet(properties), System.out);
          return ExitStatus.OK;
        });
  }

  /** False if what is loaded ends with the embedded server. */
  static boolean isKept(ConnectionConfig connection) {
    return !connection.isEmbedded() || EmbeddedConn.isKept(connection.url());
  }

  /** Something to do with a database. */
  @FunctionalInterface
  interface DatabaseWork {
    /** Does it, and returns the exit status. */
    int on(Database database) throws Exception;
  }

  /**
   * Opens the database that a properties file names, works on it, and closes it. For all verbs but
   * {@code run}.
   */
  static int with(BenchmarkProperties properties, int connections, DatabaseWork work)
      throws Exception {
    warn(properties.warnings());
    ConnectionConfig config = properties.connection();
    if (config.isNothing()) {
      throw new ConfigException(
          "%s: conn=null: has no tables; only a run can use it".formatted(properties.source()));
    }
    // The key limits the statements of a run; an index may take as long as it takes.
    try (Database database =
        Database.open(config.withoutStatementTimeout(), connections, DatabaseVerbs::say)) {
      return work.on(database);
    } catch (ConfigException e) {
      throw properties.located(e);
    }
  }

  /** What a properties file says is to be loaded. */
  static DataSet dataSet(BenchmarkProperties properties) {
    try {
      return Benchmarks.of(properties).dataSet(properties.values());
    } catch (ConfigException e) {
      throw properties.located(e);
    }
  }

  /** What must hold of what is loaded. */
  static Conditions conditions(BenchmarkProperties properties) {
    return Benchmarks.of(properties).conditions(properties.values());
  }

  static DatabaseBuild newBuild(
      BenchmarkProperties properties, Database database, DatabaseBuild.Echo echo) {
    return new DatabaseBuild(
        database,
        Benchmarks.of(properties).scripts(properties.values()),
        properties.load().partitions(),
        workingDirectory(),
        System.out,
        echo);
  }

  static void say(String line) {
    System.out.println(line);
  }

  static void warn(List<String> warnings) {
    warnings.forEach(warning -> System.err.println("WARNING: " + warning));
  }

  static Path workingDirectory() {
    return Path.of("").toAbsolutePath();
  }

  /** The console of a run; from here on libraries log to it. */
  static RunConsole newConsole() {
    Clock clock = Clock.system(ZoneId.systemDefault());
    RunConsole console = RunConsole.ofStandardOutput(clock);
    LibraryLog.install(console, workingDirectory().resolve(ERROR_LOG), clock);
    return console;
  }
}
