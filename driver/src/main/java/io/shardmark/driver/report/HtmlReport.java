package io.shardmark.driver.report;

import io.shardmark.driver.results.reader.RunData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Writes the report of a run as one HTML file that needs nothing else. */
public final class HtmlReport {
  /** The name of the file in a result directory, as BenchmarkSQL's. */
  public static final String FILE_NAME = "report.html";

  private HtmlReport() {}

  /** Writes {@code report.html} into the directory, whole or not at all. */
  public static Path write(RunData run, Path directory) throws IOException {
    Path file = directory.resolve(FILE_NAME);
    PageHtml.replace(Map.of(file, PageHtml.of(PageBuilder.of(run), "Shardmark report")));
    return file;
  }
}
