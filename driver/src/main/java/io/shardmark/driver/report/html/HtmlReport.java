package io.shardmark.driver.report.html;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import io.shardmark.driver.report.RunData;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** Writes the report of a run as one HTML file that needs nothing else. */
public final class HtmlReport {
  /** The name of the file in a result directory, as BenchmarkSQL's. */
  public static final String FILE_NAME = "report.html";

  /** The version in the path is the one of the root pom; a build with another one fails a test. */
  private static final String CHART_LIBRARY =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

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
      try (Writer writer = Files.newBufferedWriter(temporary)) {
        write(run, writer);
      }
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    return file;
  }

  /** Writes the page. */
  static void write(RunData run, Writer writer) throws IOException {
    Template template =
        Mustache.compiler()
            .escapeHTML(true)
            .emptyStringIsFalse(true)
            .compile(resource("page.mustache"));
    Map<String, String> assets =
        Map.of(
            "styles", resource("report.css"),
            "script", resource("report.js"),
            // A string in it must not end the element that holds it.
            "chartLibrary", resource(CHART_LIBRARY).replace("</script", "<\\/script"));
    template.execute(PageBuilder.of(run), assets, writer);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("not in the program: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
