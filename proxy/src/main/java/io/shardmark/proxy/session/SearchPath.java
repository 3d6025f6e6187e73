package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.SessionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The schemas of search_path, from the SET statement that gave it. */
final class SearchPath {
  private static final List<String> DEFAULT = List.of("public");
  private static final Pattern VALUE =
      Pattern.compile(
          "(?is).*?\\bsearch_path\\b\\s*(?:=|\\bto\\b|',)\\s*(.*?)"
              // the end of a call of set_config
              + "(?:,\\s*(?:true|false)\\s*\\)\\s*)?");
  private static final Pattern ELEMENT = Pattern.compile("\"((?:[^\"]|\"\")*)\"|([^\\s,'\"();]+)");

  private SearchPath() {}

  static List<String> of(SessionSettings settings, String user) {
    String statement = settings.statements().get("search_path");
    if (statement == null) {
      return DEFAULT;
    }
    Matcher value = VALUE.matcher(statement);
    if (!value.matches()) {
      return DEFAULT;
    }
    List<String> schemas = new ArrayList<>();
    Matcher element = ELEMENT.matcher(value.group(1));
    while (element.find()) {
      String quoted = element.group(1);
      String name =
          quoted != null ? quoted.replace("\"\"", "\"") : element.group(2).toLowerCase(Locale.ROOT);
      schemas.add(name.equals("$user") ? user : name);
    }
    schemas.remove("pg_catalog");
    return List.copyOf(schemas);
  }
}
