package io.shardmark.driver.report;

import io.shardmark.driver.results.reader.RunData;
import java.io.IOException;
import java.nio.file.Path;

/** Writes the report of a run as one HTML file that needs nothing else. */
public final class HtmlReport {
  /** The name of the file in a result directory, as BenchmarkSQL's. */
  public static final String FILE_NAME = "report.html";

  private HtmlReport() {}

  /**
   * Writes {@code report.html} into the directory, whole or not at all.
   *
   * @return the file
   */
  public static Path write(RunData run, Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    PageFile.write(PageBuilder.of(run), "Shardmark report", file);
    return file;
  }
}
