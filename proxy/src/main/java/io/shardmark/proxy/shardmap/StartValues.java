package io.shardmark.proxy.shardmap;

import java.util.HashMap;
import java.util.Map;

/**
 * The values with which sessions begin of those parameters that answers depend on (PG18 §19.1.3
 * config-setting-sql). Names are in lower case.
 *
 * @param usual what the server's configuration or ALTER DATABASE says; of those that a driver sets
 *     only what ALTER DATABASE says
 * @param ofRole what ALTER ROLE says instead, by role
 */
public record StartValues(Map<String, String> usual, Map<String, Map<String, String>> ofRole) {
  /** The parameter that says in which schemas names are looked up. */
  public static final String SEARCH_PATH = "search_path";

  /**
   * PostgreSQL's own defaults. Every server connection begins with these, whatever is set for its
   * role at that moment: what is set is a session's, from its login on.
   */
  public static final Map<String, String> OF_CONNECTIONS =
      Map.of(
          SEARCH_PATH,
          "\"$user\", public",
          "extra_float_digits",
          "1",
          "intervalstyle",
          "postgres",
          "bytea_output",
          "hex",
          "default_transaction_isolation",
          "read committed",
          "default_transaction_read_only",
          "off",
          "standard_conforming_strings",
          "on");

  /** Nothing set, nothing known. */
  public static final StartValues NONE = new StartValues(Map.of(), Map.of());

  public StartValues {
    usual = Map.copyOf(usual);
    Map<String, Map<String, String>> copy = new HashMap<>();
    ofRole.forEach((role, values) -> copy.put(role, Map.copyOf(values)));
    ofRole = Map.copyOf(copy);
  }

  /** Where a session of that role begins otherwise than {@link #OF_CONNECTIONS} alone does. */
  public Map<String, String> of(String role) {
    Map<String, String> values = new HashMap<>(usual);
    values.putAll(ofRole.getOrDefault(role, Map.of()));
    values.entrySet().removeIf(one -> one.getValue().equals(OF_CONNECTIONS.get(one.getKey())));
    return values;
  }
}
