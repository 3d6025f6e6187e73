package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.run.BenchmarkRun;
import io.shardmark.driver.run.Database;
import io.shardmark.driver.run.ExitStatus;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code run}: the benchmark. The same as naming the properties file alone. */
@Command(name = "run", description = "Runs the benchmark.")
final class RunCommand implements Callable<Integer> {
  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return run(arguments.read());
  }

  static int run(BenchmarkProperties properties) throws IOException, InterruptedException {
    RunConsole console = DatabaseVerbs.newConsole();
    try (BenchmarkRun run =
        BenchmarkRun.open(properties, console, DatabaseVerbs.workingDirectory())) {
      return execute(run, properties, console);
    }
  }

  private static int execute(BenchmarkRun run, BenchmarkProperties properties, RunConsole console)
      throws IOException, InterruptedException {
    ConnectionConfig connection = properties.connection();
    try {
      if (connection.isNothing()) {
        return status(run.execute(null));
      }
      try (Database database = Database.open(connection, run.connectionCount(), console::info)) {
        return status(run.execute(database));
      }
    } catch (ConfigException e) {
      ConfigException located = properties.located(e);
      run.refuse(String.valueOf(located.getMessage()));
      throw located;
    }
  }

  /** A run that a fault ended, or whose files are not whole, has not done what it was asked to. */
  static int status(BenchmarkRun.Result result) {
    Ending ending = result.figures().run().ending();
    boolean usable = ending != Ending.ABORTED && ending != Ending.INCONSISTENT;
    if (!usable || !result.filesComplete()) {
      return ExitStatus.FAILED;
    }
    return result.figures().keptThresholds() ? ExitStatus.OK : ExitStatus.THRESHOLD;
  }
}
