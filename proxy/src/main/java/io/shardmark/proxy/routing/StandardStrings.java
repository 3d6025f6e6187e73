package io.shardmark.proxy.routing;

import java.util.Locale;
import java.util.Set;

/**
 * String literals are read as the SQL standard has it, a backslash as itself (PG18 §4.1.2.1
 * sql-syntax-strings): a client cannot switch that off. Pure; for all threads.
 */
public final class StandardStrings {
  /** The parameter that says so. */
  public static final String NAME = "standard_conforming_strings";

  public static final String REFUSED = NAME + " must be on: the proxy reads string literals by it";

  public static final String HINT = "Write strings with backslashes as E'...'.";

  private static final Set<String> ON = Set.of("on", "true", "yes", "1");

  private StandardStrings() {}

  /** Whether a value of the parameter leaves it on. */
  public static boolean isOn(String value) {
    return ON.contains(value.strip().toLowerCase(Locale.ROOT));
  }
}
