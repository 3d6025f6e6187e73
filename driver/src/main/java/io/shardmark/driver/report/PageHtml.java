package io.shardmark.driver.report;

import com.samskivert.mustache.Mustache;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A page as HTML that needs nothing else: styles and scripts are in it. */
public final class PageHtml {
  /** The version in the path is the one of the root pom; a build with another one fails a test. */
  public static final String CHART_LIBRARY =
      "/META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

  /** Style sheet and script that the live page has too, without their endings. */
  public static final String COMMON = "/io/shardmark/driver/page/page";

  private PageHtml() {}

  /**
   * The whole text.
   *
   * @param generator what the page says it was made by
   */
  public static String of(Page page, String generator) throws IOException {
    Map<String, String> assets =
        Map.of(
            "generator", generator,
            "commonStyles", text(COMMON + ".css"),
            "styles", text("report.css"),
            "chartLibrary", text(CHART_LIBRARY),
            "commonScript", text(COMMON + ".js"),
            "script", text("report.js"));
    StringWriter html = new StringWriter();
    Mustache.compiler()
        .escapeHTML(true)
        .emptyStringIsFalse(true)
        .compile(text("page.mustache"))
        .execute(page, assets, html);
    return html.toString();
  }

  private static String text(String name) throws IOException {
    return new String(resource(PageHtml.class, name), StandardCharsets.UTF_8);
  }

  /**
   * A file of this program.
   *
   * @param owner a class in the package that a relative name begins at
   */
  public static byte[] resource(Class<?> owner, String name) throws IOException {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException("not in the program: " + name);
      }
      return in.readAllBytes();
    }
  }
}
