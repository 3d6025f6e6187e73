package io.shardmark.driver.command;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.console.FinalReport;
import io.shardmark.driver.merge.PartSet;
import io.shardmark.driver.merge.ResultMerger;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.reader.ResultReader;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.run.ExitStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The verbs that make something of result directories. */
final class ResultVerbs {
  private ResultVerbs() {}

  /** {@code report}: the page of a result directory, written into it. */
  @Command(
      name = "report",
      description = "Writes report.html into result directories, Shardmark's or BenchmarkSQL's.")
  static int report(
      @Parameters(
              index = "0..*",
              arity = "1..*",
              paramLabel = "DIR",
              description = "directory of a run: what the key resultDirectory named")
          List<Path> directories)
      throws IOException {
    for (Path directory : directories) {
      // BenchmarkSQL's line, which ends when the page is there.
      String name = directory.resolve(HtmlReport.FILE_NAME).toString();
      var run = ResultReader.read(directory);
      if (!ResultReader.isResult(directory)) { // in a comparison it is a run that was killed early
        throw new ConfigException(
            directory + ": is empty: expected a result directory, with summary.json or data/");
      }
      System.out.print("Generating " + name + " ... ");
      System.out.flush();
      HtmlReport.write(run, directory);
      System.out.println("OK");
    }
    return ExitStatus.OK;
  }

  /** {@code merge}: one result directory of those of several drivers that ran together. */
  @Command(
      name = "merge",
      description =
          "Makes one result directory of those of several drivers that ran together (key drivers).")
  static int merge(
      @Parameters(
              index = "0",
              paramLabel = "OUT",
              description =
                  "directory to make; without DIR the one that holds the drivers' results, in its"
                      + " directory drivers")
          Path out,
      @Parameters(
              index = "1..*",
              arity = "0..*",
              paramLabel = "DIR",
              description = "result directory of one of the drivers")
          @Nullable List<Path> directories)
      throws IOException {
    // All is read and checked before anything is made.
    PartSet parts = directories == null ? PartSet.readWritten(out) : PartSet.read(directories);
    ResultDirectory directory =
        directories == null
            ? ResultDirectory.openWhole(out)
            : ResultDirectory.create(out.toString());
    RunResult result =
        new ResultMerger(parts, directory, line -> DatabaseVerbs.warn(List.of(line)))
            .merge(List.of());
    FinalReport.lines(result).forEach(DatabaseVerbs::say);
    RunData run = ResultReader.read(directory.root(), result);
    HtmlReport.write(run, directory.root());
    FinalReport.outcome(result, run.certainty().rates()).forEach(DatabaseVerbs::say);
    DatabaseVerbs.say("Results are in " + directory.root());
    return result.run().ending() == Ending.INCOMPLETE ? ExitStatus.FAILED : ExitStatus.OK;
  }
}
