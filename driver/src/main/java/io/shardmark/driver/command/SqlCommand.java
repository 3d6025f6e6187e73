package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.benchmarks.Benchmarks;
import io.shardmark.driver.run.DatabaseBuild;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sql}: runs one script. */
@Command(
    name = "sql",
    description = "Runs a SQL script: a file, or a step such as tableCreates.",
    mixinStandardHelpOptions = true)
final class SqlCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "PROPS", description = "properties file, as BenchmarkSQL's")
  private Path file = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "SQL_FILE_OR_STEP",
      description = "a file that ends in .sql, or a step's name")
  private String script = "";

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = BenchmarkProperties.read(Benchmarks.KEYS, file, List.of());
    return DatabaseCommand.with(
        properties,
        1,
        database -> {
          DatabaseCommand.newBuild(properties, database, DatabaseBuild.Echo.SQL)
              .runScript(script, () -> DatabaseCommand.dataSet(properties), System.out);
          return ExitStatus.OK;
        });
  }
}
