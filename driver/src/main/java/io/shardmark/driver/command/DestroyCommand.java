package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code destroy}: drops everything that {@code build} made. */
@Command(
    name = "destroy",
    description = "Drops the tables and procedures.",
    mixinStandardHelpOptions = true)
final class DestroyCommand implements Callable<Integer> {
  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();
  @Mixin private final Verbosity verbosity = new Verbosity();

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = arguments.read();
    if (!DatabaseCommand.benchmark(properties).hasTables()) {
      DatabaseCommand.dataSet(properties); // says so
    }
    return DatabaseCommand.with(
        properties,
        1,
        database -> {
          DatabaseCommand.newBuild(properties, database, verbosity.echo()).destroy();
          return ExitStatus.OK;
        });
  }
}
