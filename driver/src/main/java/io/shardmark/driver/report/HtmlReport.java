package io.shardmark.driver.report;

import io.shardmark.driver.results.reader.RunData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

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
    Path temporary = directory.resolve(FILE_NAME + ".tmp");
    try {
      Files.writeString(temporary, PageHtml.of(PageBuilder.of(run), "Shardmark report"));
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    return file;
  }
}
