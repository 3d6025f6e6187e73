package io.shardmark.driver.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page as HTML that needs nothing else: its JSON, styles and scripts are in it. */
public final class PageHtml {
  /** The version in the path is the one of the root pom; a build with another one fails a test. */
  public static final String CHART_LIBRARY =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  private static final ObjectMapper MAPPER = ChartJson.mapper();

  /** Style sheet and script that the live page has too, without their endings. */
  public static final String COMMON = "/io/shardmark/driver/page/page";

  private PageHtml() {}

  /** The whole text; the page says what it was made by. */
  public static String of(Page page, String generator) throws IOException {
    Map<String, String> assets =
        Map.of(
            "generator", generator,
            "styles", text(COMMON + ".css") + text("report.css"),
            // Inside of a script element only "<" could end it or begin a comment.
            "page", MAPPER.writeValueAsString(page).replace("<", "\\u003c"),
            "library", text(CHART_LIBRARY),
            "script", text(COMMON + ".js"));
    return Pattern.compile("\\{\\{(\\w+)}}")
        .matcher(text(COMMON + ".html"))
        .replaceAll(name -> Matcher.quoteReplacement(assets.get(name.group(1))));
  }

  /** Writes files, each with its text: in the end all of them are there or what was before. */
  public static void replace(Map<Path, String> texts) throws IOException {
    try {
      for (Map.Entry<Path, String> one : texts.entrySet()) {
        Files.writeString(temporary(one.getKey()), one.getValue());
      }
      for (Path file : texts.keySet()) {
        Files.move(temporary(file), file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      for (Path file : texts.keySet()) {
        Files.deleteIfExists(temporary(file));
      }
    }
  }

  private static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }

  private static String text(String name) throws IOException {
    return new String(resource(PageHtml.class, name), StandardCharsets.UTF_8);
  }

  /** A file of this program; a relative name begins at the package of its owner. */
  public static byte[] resource(Class<?> owner, String name) throws IOException {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("not in the program: " + name);
      }
      return in.readAllBytes();
    }
  }
}
