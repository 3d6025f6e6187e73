package io.shardmark.driver.report;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** Writes a page as one HTML file that needs nothing else: styles and scripts are in it. */
public final class PageFile {
  /** The version in the path is the one of the root pom; a build with another one fails a test. */
  private static final String CHART_LIBRARY =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  /** What the live page has too. */
  private static final String COMMON = "/io/shardmark/driver/page/page";

  private PageFile() {}

  /**
   * Writes the file whole or not at all; one of that name is replaced.
   *
   * @param generator what the page says it was made by
   */
  public static void write(Page page, String generator, Path file) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      try (Writer writer = Files.newBufferedWriter(temporary)) {
        write(page, generator, writer);
      }
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void write(Page page, String generator, Writer writer) throws IOException {
    Template template =
        Mustache.compiler()
            .escapeHTML(true)
            .emptyStringIsFalse(true)
            .compile(resource("page.mustache"));
    Map<String, String> assets =
        Map.of(
            "generator", generator,
            "commonStyles", resource(COMMON + ".css"),
            "styles", resource("report.css"),
            "chartLibrary", resource(CHART_LIBRARY),
            "commonScript", resource(COMMON + ".js"),
            "script", resource("report.js"));
    template.execute(page, assets, writer);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = PageFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("not in the program: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
