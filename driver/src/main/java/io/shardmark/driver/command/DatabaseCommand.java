package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmarks.Benchmarks;
import io.shardmark.driver.console.LibraryLog;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.run.DatabaseBuild;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;

/** What the verbs have in common: warnings of the properties file, and the database it names. */
final class DatabaseCommand {
  private static final String ERROR_LOG = "benchmarksql-error.log";

  private DatabaseCommand() {}

  /** Something to do with a database. */
  @FunctionalInterface
  interface Work {
    /** Does it, and returns the exit status. */
    int on(Database database) throws Exception;
  }

  /**
   * Opens the database that a properties file names, works on it, and closes it. For all verbs but
   * {@code run}.
   */
  static int with(BenchmarkProperties properties, int connections, Work work) throws Exception {
    warn(properties.warnings());
    ConnectionConfig config = properties.connection();
    if (config.isNothing()) {
      throw new ConfigException(
          "%s: conn=null: has no tables; only a run can use it".formatted(properties.source()));
    }
    // The key limits the statements of a run; an index may take as long as it takes.
    try (Database database =
        Database.open(config.withoutStatementTimeout(), connections, DatabaseCommand::say)) {
      return work.on(database);
    } catch (ConfigException e) {
      throw properties.located(e);
    }
  }

  /** The benchmark that a properties file names. */
  static Benchmark benchmark(BenchmarkProperties properties) {
    return Benchmarks.of(properties);
  }

  /** What a properties file says is to be loaded. */
  static DataSet dataSet(BenchmarkProperties properties) {
    try {
      return benchmark(properties).dataSet(properties.values());
    } catch (ConfigException e) {
      throw properties.located(e);
    }
  }

  /** What must hold of what is loaded. */
  static Conditions conditions(BenchmarkProperties properties) {
    return benchmark(properties).conditions(properties.values());
  }

  static DatabaseBuild newBuild(
      BenchmarkProperties properties, Database database, DatabaseBuild.Echo echo) {
    return new DatabaseBuild(
        database,
        benchmark(properties).scripts(properties.values()),
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
    RunConsole console = new RunConsole(System.out, clock);
    LibraryLog.install(console, workingDirectory().resolve(ERROR_LOG), clock);
    return console;
  }
}
