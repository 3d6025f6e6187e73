package io.shardmark.driver.command;

import io.shardmark.driver.run.DatabaseBuild.Echo;
import picocli.CommandLine.Option;

/** The option of verbs that send scripts to a database. */
final class Verbosity {
  @Option(
      names = {"-v", "--verbose"},
      description = "shows every SQL statement, and the load as BenchmarkSQL does")
  private boolean verbose;

  Echo echo() {
    return verbose ? Echo.SQL : Echo.STEPS;
  }
}
