package io.shardmark.driver.command;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.loader.data.DataSet;
import io.shardmark.sql.embedded.EmbeddedConn;
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
  @Mixin private final Verbosity verbosity = new Verbosity();

  private void sayNext(ConnectionConfig connection) {
    DatabaseCommand.say(
        connection.isEmbedded() && !EmbeddedConn.isKept(connection.url())
            ? "Nothing of it is kept: the server ends with this command;"
                + " the option data=DIR of conn keeps its files"
            : "Next: java -jar driver.jar run " + arguments.words());
  }

  @Override
  public Integer call() throws Exception {
    BenchmarkProperties properties = arguments.read();
    DataSet data = DatabaseCommand.dataSet(properties);
    return DatabaseCommand.with(
        properties,
        properties.load().workers() + 1,
        database -> {
          DatabaseCommand.newBuild(properties, database, verbosity.echo())
              .build(data, properties.load());
          sayNext(properties.connection());
          return ExitStatus.OK;
        });
  }
}
