package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.run.DatabaseBuild;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code build}: tables, load, keys. */
@Command(
    name = "build",
    description = "Creates the tables, loads them, and builds keys and indexes.",
    mixinStandardHelpOptions = true)
final class BuildCommand implements Callable<Integer> {
  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = arguments.read();
    return DatabaseCommand.with(
        properties,
        properties.load().workers() + 1,
        database -> {
          new DatabaseBuild(database, DatabaseCommand.workingDirectory(), System.out)
              .build(properties.load());
          return ExitStatus.OK;
        });
  }
}
