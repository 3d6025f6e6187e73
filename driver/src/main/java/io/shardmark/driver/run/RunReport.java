package io.shardmark.driver.run;

import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.results.reader.ResultReader;
import java.io.IOException;
import java.nio.file.Path;

/** The report that is written at the end of each run. */
final class RunReport {
  private RunReport() {}

  /** Writes the page; whatever goes wrong is one warning, for the run itself is done and kept. */
  static void write(Path directory, RunConsole console) {
    try {
      Path page = HtmlReport.write(ResultReader.read(directory), directory);
      console.info("The report is " + page);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // A fault of the report, or a heap that is enough to drive with and too small to read the
      // rows again: neither must make a measured run look failed.
      console.warn(
          "No report was written (%s); driver.jar report %s can do it later"
              .formatted(e, directory));
    }
  }
}
