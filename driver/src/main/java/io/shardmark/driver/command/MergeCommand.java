package io.shardmark.driver.command;

import io.shardmark.driver.console.FinalReport;
import io.shardmark.driver.merge.PartSet;
import io.shardmark.driver.merge.ResultMerger;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.reader.ResultReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code merge}: one result directory of those of several drivers that ran together. */
@Command(
    name = "merge",
    description =
        "Makes one result directory of those of several drivers that ran together (key drivers).",
    mixinStandardHelpOptions = true)
final class MergeCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "OUT",
      description =
          "directory to make; without DIR the one that holds the drivers' results, in its directory drivers")
  private Path out = Path.of("");

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "DIR",
      description = "result directory of one of the drivers")
  private List<Path> directories = List.of();

  @Override
  public Integer call() throws IOException {
    // All is read and checked before anything is made.
    boolean inPlace = directories.isEmpty();
    PartSet parts = inPlace ? PartSet.readWritten(out) : PartSet.read(directories);
    ResultDirectory directory =
        inPlace ? ResultDirectory.openWhole(out) : ResultDirectory.create(out.toString());
    RunResult result =
        ResultMerger.merge(
            parts, directory, List.of(), line -> DatabaseCommand.warn(List.of(line)));
    FinalReport.lines(result).forEach(DatabaseCommand::say);
    HtmlReport.write(ResultReader.read(directory.root()), directory.root());
    DatabaseCommand.say("Results are in " + directory.root());
    return result.run().ending() == Ending.INCOMPLETE ? ExitStatus.FAILED : ExitStatus.OK;
  }
}
