package io.shardmark.proxy.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Settings among what ParameterStatus messages say (PG18 §54.2.7 protocol-async). Pure. */
public final class ReportedSettings {
  /** Facts about the server and the user, which nobody sets. */
  private static final Set<String> FACTS =
      Set.of(
          "in_hot_standby",
          "integer_datetimes",
          "is_superuser",
          "server_encoding",
          "server_version",
          "session_authorization");

  private ReportedSettings() {}

  /** Of all that is reported. */
  public static Settings of(Map<String, String> reported) {
    Map<String, String> values = new TreeMap<>();
    reported.forEach((name, value) -> values.put(name.toLowerCase(Locale.ROOT), value));
    values.keySet().removeAll(FACTS);
    return Settings.of(values);
  }
}
