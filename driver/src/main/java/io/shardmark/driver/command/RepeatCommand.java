package io.shardmark.driver.command;

import io.shardmark.config.UsageException;
import io.shardmark.driver.repeat.Repetition;
import io.shardmark.driver.repeat.RepetitionRun;
import io.shardmark.driver.repeat.RepetitionRun.RepetitionSize;
import io.shardmark.driver.repeat.ShapedLinks;
import io.shardmark.driver.run.ExitStatus;
import io.shardmark.driver.sweep.SweepArguments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code repeat}: a published test, with own figures in its tables. */
@Command(
    name = "repeat",
    description = {
      "Repeats a published test and puts the own figures into its tables: klustron, bmt,"
          + " replication, sysbench, infinisql.",
      "",
      "The same command again with the same --output goes on where it stopped."
    })
final class RepeatCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TEST", description = "the published test")
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private String test;

  @Parameters(
      index = "1..*",
      paramLabel = "[NAME=]PROPS... [KEY VALUE]...",
      description = "with --full a file for each database; then keys that win over all others")
  private List<String> words = List.of();

  @Option(names = "--small", description = "on embedded servers, in minutes (default)")
  private boolean small;

  @Option(names = "--full", description = "with the source's sizes, on the servers of the files")
  private boolean full;

  @Option(
      names = "--rows",
      paramLabel = "ROW,ROW,...",
      description = "only these rows of the source's tables")
  private @Nullable String rows;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "how often each point is run (default: 1)")
  private int repeat = 1;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "directory of the results (default: repeat_, the test and the time)")
  private @Nullable Path output;

  @Option(
      names = "--build",
      paramLabel = "WHEN",
      description = "as of sweep; first drops what is in the databases of the files")
  private String build = "auto";

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (small && full) {
      throw new UsageException("--small and --full: expected one of them");
    }
    if (repeat < 1) {
      throw new UsageException("--repeat %d: expected a whole number from 1".formatted(repeat));
    }
    Repetition repetition =
        Repetition.named(test).only(rows == null ? List.of() : List.of(rows.split(",", -1)));
    Map<String, String> links = full ? Map.of() : repetition.linksInUse();
    if (!links.isEmpty()) {
      OptionalInt status = ShapedLinks.runWith(links);
      if (status.isPresent()) {
        return status.getAsInt();
      }
    }
    Path root =
        output == null ? Path.of("repeat_%s_%s".formatted(test, SweepCommand.now())) : output;
    return new RepetitionRun(
                repetition,
                full ? RepetitionSize.FULL : RepetitionSize.SMALL,
                SweepArguments.parseAny(words),
                root,
                DatabaseVerbs::say)
            .run(SweepCommand.buildMode(build), repeat)
        ? ExitStatus.OK
        : ExitStatus.FAILED;
  }
}
