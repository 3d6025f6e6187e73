package io.shardmark.driver.inventory;

import io.shardmark.sql.script.Script;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The keys and indexes that a build makes, by the scripts that it runs. */
public final class BuiltKeys {
  private static final Pattern NAME =
      Pattern.compile(
          "(?im)^[^-\\n]*?\\b(?:add\\s+constraint|create\\s+(?:unique\\s+)?index)\\s+(\\w+)");

  /** A key without its own name, which PostgreSQL calls as its table. */
  private static final Pattern IN_TABLE =
      Pattern.compile("(?is)\\bcreate\\s+table\\s+(\\w+)\\s*\\([^;]*?\\bprimary\\s+key\\b");

  private static final Pattern ADDED =
      Pattern.compile("(?i)\\balter\\s+table\\s+(\\w+)\\s+add\\s+primary\\s+key\\b");

  private BuiltKeys() {}

  /** Their names, in lower case; none where no script names them. */
  public static Set<String> of(ScriptSet scripts, ScriptLocator locator) {
    Set<String> names = new TreeSet<>();
    for (String step : scripts.beforeLoad()) {
      texts(locator.locate(step)).forEach(text -> add(IN_TABLE.matcher(text), "_pkey", names));
    }
    for (String step : scripts.afterLoad()) {
      if (locator.isLeftOut(step)) {
        continue;
      }
      texts(locator.locate(step))
          .forEach(
              text -> {
                add(NAME.matcher(text), "", names);
                add(ADDED.matcher(text), "_pkey", names);
              });
    }
    return names;
  }

  private static Stream<String> texts(Script script) {
    return Stream.concat(Stream.of(script.text()), script.included().values().stream());
  }

  private static void add(Matcher name, String end, Set<String> names) {
    while (name.find()) {
      names.add(name.group(1).toLowerCase(Locale.ROOT) + end);
    }
  }
}
