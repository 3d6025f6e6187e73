package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.SessionSettings;
import io.shardmark.proxy.routing.StandardStrings;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a startup message as SET statements. */
final class StartupSettings {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_.$]*");
  private static final Set<String> NOT_SETTINGS =
      Set.of("user", "database", "replication", "options");

  private static final String SET = "SET ";

  /** The end of a call of set_config. */
  private static final String FOR_THE_SESSION = ", false)";

  private StartupSettings() {}

  /** {@code -c name=value}, {@code -cname=value}, {@code --name=value} (PG18 app-postgres). */
  private static final Pattern OPTION =
      Pattern.compile("\\s*(?:-c\\s*|--)([A-Za-z_][\\w.-]*)=((?:\\\\.|[^\\\\\\s])*)");

  /**
   * @param startValues what is set for the user, by names in lower case: said to every server,
   *     since another value may have been set since the client's login
   */
  static SessionSettings of(Map<String, String> parameters, Map<String, String> startValues) {
    SessionSettings first = SessionSettings.NONE;
    for (Map.Entry<String, String> one : startValues.entrySet()) {
      first = first.with(one.getKey(), statement(one.getKey(), one.getValue()));
    }
    SessionSettings settings = options(first, parameters.getOrDefault("options", ""));
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      String name = parameter.getKey().toLowerCase(Locale.ROOT);
      if (!NOT_SETTINGS.contains(name)
          && !name.startsWith("_pq_.")
          && NAME.matcher(name).matches()) {
        settings = settings.with(name, statement(name, parameter.getValue()));
      }
    }
    return settings;
  }

  /** What is given as words of a server's command line; other words mean nothing to a session. */
  private static SessionSettings options(SessionSettings first, String words) {
    SessionSettings settings = first;
    Matcher option = OPTION.matcher(words);
    while (option.lookingAt()) {
      String name = option.group(1).toLowerCase(Locale.ROOT).replace('-', '_');
      String value = option.group(2).replaceAll("\\\\(.)", "$1");
      settings = settings.with(name, statement(name, value));
      option.region(option.end(), words.length());
    }
    return settings;
  }

  /** Whether a session that begins with these reads string literals as the proxy does. */
  static boolean hasStandardStrings(SessionSettings first) {
    String set = first.statements().get(StandardStrings.NAME);
    return set == null || StandardStrings.isOn(set.replaceAll("(?s).* TO '|'$", ""));
  }

  /** For the rest of a transaction what the session has from its start. */
  static String local(String first) {
    return first.startsWith(SET)
        ? SET + "LOCAL " + first.substring(SET.length())
        : first.substring(0, first.length() - FOR_THE_SESSION.length()) + ", true)";
  }

  private static String statement(String name, String value) {
    if (name.equals("search_path") || name.equals("datestyle")) {
      // Lists: each element is a word of its own.
      return "SELECT pg_catalog.set_config("
          + literal(name)
          + ", "
          + literal(value)
          + FOR_THE_SESSION;
    }
    return SET + name + " TO " + literal(value);
  }

  /** A literal that means the same whatever standard_conforming_strings is. */
  private static String literal(String value) {
    String quoted = value.replace("'", "''");
    return quoted.indexOf('\\') < 0
        ? "'" + quoted + "'"
        : "E'" + quoted.replace("\\", "\\\\") + "'";
  }
}
