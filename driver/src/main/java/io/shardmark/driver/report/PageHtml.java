package io.shardmark.driver.report;

import io.shardmark.driver.results.RecordJson;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/** A page as HTML that needs nothing else: its JSON, styles and scripts are in it. */
public final class PageHtml {
  /** The version in the path is the one of the root pom; a build with another one fails a test. */
  public static final String CHART_LIBRARY =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  /** Style sheet and script that the live page has too, without their endings. */
  public static final String COMMON = "/io/shardmark/driver/page/page";

  private PageHtml() {}

  /** The whole file; the page says what it was made by. */
  public static byte[] of(Page page, String generator) throws IOException {
    Map<String, byte[]> assets =
        Map.of(
            "generator", utf8(generator),
            "page styles", file(COMMON + ".css"),
            "report styles", file("report.css"),
            // Inside of a script element only "<" could end it or begin a comment.
            "page", utf8(RecordJson.of(page, RecordJson.JsonForm.DRAWN).replace("<", "\\u003c")),
            "library", file(CHART_LIBRARY),
            "script", file(COMMON + ".js"));
    String frame = new String(file(COMMON + ".html"), StandardCharsets.UTF_8);
    // Bytes: a megabyte of them is not to be decoded and encoded again.
    ByteArrayOutputStream html = new ByteArrayOutputStream();
    for (String part : frame.split("\\{\\{|}}", -1)) {
      byte[] asset = assets.get(part);
      html.writeBytes(asset == null ? utf8(part) : asset);
    }
    return html.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes files: in the end all of them are there or what was before. */
  public static void replace(Map<Path, byte[]> contents) throws IOException {
    try {
      for (Map.Entry<Path, byte[]> one : contents.entrySet()) {
        Files.write(temporary(one.getKey()), one.getValue());
      }
      for (Path file : contents.keySet()) {
        Files.move(temporary(file), file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      for (Path file : contents.keySet()) {
        Files.deleteIfExists(temporary(file));
      }
    }
  }

  private static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }

  private static byte[] file(String name) throws IOException {
    return resource(PageHtml.class, name);
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
