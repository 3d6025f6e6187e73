package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.run.DatabaseBuild;
import io.shardmark.loader.data.DataSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code load}: the rows alone, into tables that exist or into CSV files. */
@Command(
    name = "load",
    description =
        "Loads the rows into existing tables, or writes CSV files if fileLocation is set.",
    mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
  @Mixin private final PropertiesArguments arguments = new PropertiesArguments();

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = arguments.read();
    DataSet data = DatabaseCommand.dataSet(properties);
    if (properties.load().filePrefix().isPresent()) {
      DatabaseCommand.warn(properties.warnings());
      DatabaseBuild.load(data, properties.load(), null);
      return ExitStatus.OK;
    }
    return DatabaseCommand.with(
        properties,
        properties.load().workers() + 1,
        database -> {
          DatabaseBuild.load(data, properties.load(), database);
          return ExitStatus.OK;
        });
  }
}
