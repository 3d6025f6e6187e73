package io.shardmark.driver.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The JSON in the file of a page, which its script draws. */
public final class PageJson {
  private static final Pattern JSON =
      Pattern.compile("<script type=\"application/json\" id=\"page\">([^<]*)</script>");

  private PageJson() {}

  /** As it is in the file. */
  public static String escaped(String html) {
    Matcher json = JSON.matcher(html);
    assertThat(json.find()).as("a page with its JSON").isTrue();
    return json.group(1);
  }

  public static JsonNode of(String html) throws IOException {
    return new ObjectMapper().readTree(escaped(html));
  }
}
