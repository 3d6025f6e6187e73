package io.shardmark.proxy.settings;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Values of session parameters, by their names in lower case, as {@code set_config} takes them; the
 * role and the session user are among them. What is not named has the value that it has for a new
 * connection. Immutable.
 */
public final class Settings {
  /** The name of what SET ROLE sets. */
  public static final String ROLE = "role";

  /** The name of what SET SESSION AUTHORIZATION sets, which sets the role back. */
  public static final String SESSION_USER = "session_authorization";

  /** Nothing named. */
  public static final Settings NONE = new Settings(new TreeMap<>());

  /** Of a server where anything may have been set. */
  public static final Settings UNKNOWN = new Settings(new TreeMap<>(Map.of("", "")));

  /** Reported facts about the server and the user, which nobody sets. */
  private static final Set<String> FACTS =
      Set.of(
          "in_hot_standby",
          "integer_datetimes",
          "is_superuser",
          "server_encoding",
          "server_version",
          SESSION_USER);

  private final SortedMap<String, String> values;
  private final Set<String> custom;
  private final int hash;

  /** Takes over a map that nobody changes any more. */
  private Settings(SortedMap<String, String> values) {
    this.values = values;
    this.custom = custom(values.keySet());
    this.hash = values.hashCode();
  }

  /** Of names in lower case. */
  public static Settings of(Map<String, String> values) {
    return new Settings(new TreeMap<>(values));
  }

  /** Those among what ParameterStatus messages say (PG18 §54.2.7 protocol-async). */
  public static Settings ofReported(Map<String, String> reported) {
    TreeMap<String, String> values = new TreeMap<>();
    reported.forEach((name, value) -> values.put(name.toLowerCase(Locale.ROOT), value));
    values.keySet().removeAll(FACTS);
    return new Settings(values);
  }

  /**
   * Those of these names that have two parts: of parameters that extensions define, or that exist
   * because they were set (PG18 §19.16 runtime-config-custom).
   */
  public static Set<String> custom(Collection<String> names) {
    Set<String> custom = Set.of();
    for (String name : names) {
      if (name.indexOf('.') > 0) {
        custom = custom.isEmpty() ? new HashSet<>() : custom;
        custom.add(name);
      }
    }
    return custom;
  }

  /** Names that have two parts. */
  public Set<String> custom() {
    return custom;
  }

  /** By name, sorted. */
  public Map<String, String> values() {
    return Collections.unmodifiableSortedMap(values);
  }

  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** Whether the role or the session user is set to one of these. */
  public boolean isOf(Set<String> roles) {
    return value(ROLE).filter(roles::contains).isPresent()
        || value(SESSION_USER).filter(roles::contains).isPresent();
  }

  /** With that value, or {@link #without} it; with another session user there is no role. */
  public Settings with(String name, Optional<String> value) {
    if (isUnknown() || (value(name).equals(value) && !name.equals(SESSION_USER))) {
      return this;
    }
    TreeMap<String, String> changed = new TreeMap<>(values);
    if (name.equals(SESSION_USER)) {
      changed.remove(ROLE);
    }
    value.ifPresentOrElse(given -> changed.put(name, given), () -> changed.remove(name));
    return new Settings(changed);
  }

  public Settings with(String name, String value) {
    return with(name, Optional.of(value));
  }

  /** With all of another's values over these. */
  public Settings withAll(Settings over) {
    TreeMap<String, String> all = new TreeMap<>(values);
    all.putAll(over.values);
    return new Settings(all);
  }

  /** Like a new connection in that respect. */
  public Settings without(String name) {
    return with(name, Optional.empty());
  }

  /** Those of them that have one of these names. */
  public Settings only(Set<String> names) {
    TreeMap<String, String> some = new TreeMap<>(values);
    some.keySet().retainAll(names);
    return new Settings(some);
  }

  /** With the role and the session user of another: RESET ALL changes neither (PG18 sql-reset). */
  public Settings withIdentityOf(Settings other) {
    return with(SESSION_USER, other.value(SESSION_USER)).with(ROLE, other.value(ROLE));
  }

  @SuppressWarnings("ReferenceEquality") // one of a kind
  public boolean isUnknown() {
    return this == UNKNOWN;
  }

  /** Equal; costs nothing if they are one object, and next to nothing if they differ. */
  @SuppressWarnings("ReferenceEquality") // one object is equal to itself, and most are
  public boolean is(Settings other) {
    return this == other || (hash == other.hash && values.equals(other.values));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings same && is(same);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
