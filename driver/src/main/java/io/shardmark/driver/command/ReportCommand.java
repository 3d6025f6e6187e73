package io.shardmark.driver.command;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.results.reader.ResultReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code report}: the page of a result directory, written into it. */
@Command(
    name = "report",
    description = "Writes report.html into result directories, Shardmark's or BenchmarkSQL's.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Parameters(
      index = "0..*",
      arity = "1..*",
      paramLabel = "DIR",
      description = "directory of a run: what the key resultDirectory named")
  private List<Path> directories = List.of();

  /** In a comparison an empty directory is a run that was killed early; alone it is a mistake. */
  private static void requireContent(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      if (!files.iterator().hasNext()) {
        throw new ConfigException(
            directory + ": is empty: expected a result directory, with summary.json or data/");
      }
    }
  }

  @Override
  public Integer call() throws IOException {
    for (Path directory : directories) {
      // BenchmarkSQL's line, which ends when the page is there.
      String name = directory.resolve(HtmlReport.FILE_NAME).toString();
      var run = ResultReader.read(directory);
      requireContent(directory);
      System.out.print("Generating " + name + " ... ");
      System.out.flush();
      HtmlReport.write(run, directory);
      System.out.println("OK");
    }
    return ExitStatus.OK;
  }
}
