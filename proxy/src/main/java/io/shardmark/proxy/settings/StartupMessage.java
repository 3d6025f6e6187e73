package io.shardmark.proxy.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters that a startup message sets. Pure. */
public final class StartupMessage {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_.$]*");
  private static final Set<String> NOT_SETTINGS =
      Set.of("user", "database", "replication", "options");

  /** {@code -c name=value}, {@code -cname=value}, {@code --name=value} (PG18 app-postgres). */
  private static final Pattern OPTION =
      Pattern.compile("\\s*(?:-c\\s*|--)([A-Za-z_][\\w.-]*)=((?:\\\\.|[^\\\\\\s])*)");

  private StartupMessage() {}

  /**
   * Values as the client spells them; those of its {@code options} give way to others.
   *
   * @param message by the names of the message
   */
  public static Settings settings(Map<String, String> message) {
    Map<String, String> values = new TreeMap<>(options(message.getOrDefault("options", "")));
    message.forEach(
        (given, value) -> {
          String name = given.toLowerCase(Locale.ROOT);
          if (!NOT_SETTINGS.contains(name)
              && !name.startsWith("_pq_.")
              && NAME.matcher(name).matches()) {
            values.put(name, value);
          }
        });
    return Settings.of(values);
  }

  /** What is given as words of a server's command line; other words mean nothing to a session. */
  private static Map<String, String> options(String words) {
    Map<String, String> values = new TreeMap<>();
    Matcher option = OPTION.matcher(words);
    while (option.lookingAt()) {
      String name = option.group(1).toLowerCase(Locale.ROOT).replace('-', '_');
      values.put(name, option.group(2).replaceAll("\\\\(.)", "$1"));
      option.region(option.end(), words.length());
    }
    return values;
  }
}
