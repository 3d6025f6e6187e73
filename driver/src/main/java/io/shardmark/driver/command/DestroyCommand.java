package io.shardmark.driver.command;

import io.shardmark.driver.run.DatabaseBuild;
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
    return DatabaseCommand.with(
        arguments.read(),
        1,
        database -> {
          new DatabaseBuild(
                  database, DatabaseCommand.workingDirectory(), System.out, verbosity.echo())
              .destroy();
          return ExitStatus.OK;
        });
  }
}
