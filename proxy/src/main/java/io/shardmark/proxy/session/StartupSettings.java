package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.SessionSettings;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The parameters of a startup message as SET statements. */
final class StartupSettings {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_.$]*");
  private static final Set<String> NOT_SETTINGS =
      Set.of("user", "database", "replication", "options");

  private StartupSettings() {}

  static SessionSettings of(Map<String, String> parameters) {
    SessionSettings settings = SessionSettings.NONE;
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

  private static String statement(String name, String value) {
    if (name.equals("search_path") || name.equals("datestyle")) {
      // Lists: each element is a word of its own.
      return "SELECT pg_catalog.set_config(" + literal(name) + ", " + literal(value) + ", false)";
    }
    return "SET " + name + " TO " + literal(value);
  }

  /** A literal that means the same whatever standard_conforming_strings is. */
  private static String literal(String value) {
    String quoted = value.replace("'", "''");
    return quoted.indexOf('\\') < 0
        ? "'" + quoted + "'"
        : "E'" + quoted.replace("\\", "\\\\") + "'";
  }
}
