package io.shardmark.proxy.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Statements that take a server connection from one state of its settings to another. */
public final class SettingsSql {
  /** Those of which SET would take a whole value for one element (GUC_LIST_QUOTE). */
  private static final Set<String> LISTS =
      Set.of(
          "local_preload_libraries",
          "search_path",
          "session_preload_libraries",
          "temp_tablespaces");

  private SettingsSql() {}

  /**
   * For a server outside of a transaction. Parameters are set as the user who has logged in, since
   * a role may not be allowed to; then the session user, which undoes the role, then the role.
   */
  public static List<String> change(Settings now, Settings wanted) {
    List<String> result = new ArrayList<>();
    if (now.is(wanted)) {
      return result;
    }
    if (now.value(Settings.SESSION_USER).isPresent()) {
      result.add(reset(Settings.SESSION_USER));
    }
    if (now.value(Settings.ROLE).isPresent()) {
      result.add(reset(Settings.ROLE));
    }
    result.addAll(parameters(now, wanted));
    for (String name : List.of(Settings.SESSION_USER, Settings.ROLE)) {
      wanted.value(name).ifPresent(value -> result.add(set(name, value)));
    }
    return result;
  }

  /** The same for one of unknown settings, which were these when it was opened. */
  public static List<String> fromUnknown(Settings atLogin, Settings wanted) {
    List<String> result = new ArrayList<>();
    result.add(reset(Settings.SESSION_USER));
    result.add(reset(Settings.ROLE));
    result.add("RESET ALL");
    result.addAll(change(atLogin, wanted));
    return result;
  }

  /** Has the transaction act as the role that logged in; "" if it does. */
  public static String loginRole(SettingsState state) {
    return identity(state.inForce(), Settings.NONE);
  }

  /** Has the transaction act as the client's role after {@link #loginRole}; "" if it does. */
  public static String roleAgain(SettingsState state) {
    return identity(Settings.NONE, state.inForce());
  }

  /**
   * Has the transaction act as the role that its connection has after it; "" if it does. Deferred
   * constraints are checked before, as the client's role.
   */
  public static String lastingRole(SettingsState state) {
    String change = identity(state.inForce(), state.session());
    return change.isEmpty() ? "" : "SET CONSTRAINTS ALL IMMEDIATE;" + change;
  }

  /** SET LOCAL of user and role, each with a semicolon after it; "" if both are the same. */
  private static String identity(Settings now, Settings wanted) {
    Optional<String> user = wanted.value(Settings.SESSION_USER);
    Optional<String> role = wanted.value(Settings.ROLE);
    StringBuilder sql = new StringBuilder();
    if (!now.value(Settings.SESSION_USER).equals(user)) {
      sql.append("SET LOCAL SESSION AUTHORIZATION ")
          .append(user.map(SettingsSql::literal).orElse("DEFAULT"))
          .append(';'); // which sets the role back
      role.ifPresent(name -> sql.append(setLocal(Settings.ROLE, name)).append(';'));
    } else if (!now.value(Settings.ROLE).equals(role)) {
      sql.append(setLocal(Settings.ROLE, role.orElse("none"))).append(';');
    }
    return sql.toString();
  }

  /** Those of them that are no role and no user. */
  public static List<String> parameters(Settings now, Settings wanted) {
    List<String> result = new ArrayList<>();
    for (String name : different(now, wanted)) {
      if (!isIdentity(name)) {
        result.add(wanted.value(name).map(value -> set(name, value)).orElseGet(() -> reset(name)));
      }
    }
    return result;
  }

  /**
   * For a server whose transaction has just begun with the {@link SettingsState#base} of another:
   * afterwards it is in that other one's state, savepoints included, and goes back from there as
   * that one does.
   */
  public static List<String> join(SettingsState wanted) {
    List<String> result = new ArrayList<>();
    SettingsState at = SettingsState.of(wanted.base());
    for (SettingsState.SettingsSavepoint savepoint : wanted.savepoints()) {
      at = follow(at, savepoint.session(), savepoint.inForce(), result);
      result.add("SAVEPOINT " + identifier(savepoint.name()));
    }
    follow(at, wanted.session(), wanted.inForce(), result);
    return result;
  }

  private static SettingsState follow(
      SettingsState from, Settings session, Settings inForce, List<String> result) {
    SettingsState at = from;
    Set<String> changed = new TreeSet<>(SettingsSql::inOrder);
    changed.addAll(different(at.session(), session));
    for (String name : different(at.inForce(), inForce)) {
      if (session.value(name).equals(inForce.value(name))) {
        changed.add(name);
      }
    }
    if (changed.contains(Settings.SESSION_USER)) {
      changed.add(Settings.ROLE); // which goes with the session user
    }
    for (String name : changed) {
      Optional<String> value = session.value(name);
      result.add(value.map(given -> set(name, given)).orElseGet(() -> reset(name)));
      at = at.set(name, value);
    }
    Set<String> local = new TreeSet<>(SettingsSql::inOrder);
    local.addAll(different(at.inForce(), inForce));
    if (local.contains(Settings.SESSION_USER)) {
      local.add(Settings.ROLE);
    }
    for (String name : local) {
      Optional<String> value = inForce.value(name);
      result.add(value.map(given -> setLocal(name, given)).orElseGet(() -> resetLocal(name)));
      at = at.setLocal(name, value);
    }
    return at;
  }

  /** Parameters, then the session user, then the role. */
  private static int inOrder(String one, String other) {
    int byKind = Integer.compare(kind(one), kind(other));
    return byKind != 0 ? byKind : one.compareTo(other);
  }

  private static int kind(String name) {
    return name.equals(Settings.ROLE) ? 2 : name.equals(Settings.SESSION_USER) ? 1 : 0;
  }

  private static boolean isIdentity(String name) {
    return kind(name) > 0;
  }

  private static Set<String> different(Settings one, Settings other) {
    Set<String> names = new TreeSet<>(one.values().keySet());
    names.addAll(other.values().keySet());
    names.removeIf(name -> one.value(name).equals(other.value(name)));
    return names;
  }

  /** Gives a parameter a value, for the session. */
  public static String set(String name, String value) {
    return LISTS.contains(name)
        ? setConfig(name, value, false)
        : "SET " + parameter(name) + " TO " + literal(value);
  }

  /** The same for the transaction. */
  public static String setLocal(String name, String value) {
    if (name.equals(SettingsState.CONSTRAINTS)) {
      return value;
    }
    return LISTS.contains(name)
        ? setConfig(name, value, true)
        : "SET LOCAL " + parameter(name) + " TO " + literal(value);
  }

  private static String setConfig(String name, String value, boolean local) {
    return "SELECT pg_catalog.set_config(%s, %s, %s)"
        .formatted(literal(name), literal(value), local);
  }

  private static String reset(String name) {
    return "RESET " + parameter(name);
  }

  private static String resetLocal(String name) {
    return name.equals(SettingsState.CONSTRAINTS)
        ? "SET CONSTRAINTS ALL IMMEDIATE"
        : "SET LOCAL " + parameter(name) + " TO DEFAULT";
  }

  /** Asks for a value, without a snapshot: a transaction may still be given its isolation level. */
  public static String show(String name) {
    return "SHOW " + parameter(name);
  }

  /** Of one name, or of several with dots between. */
  private static String parameter(String name) {
    return identifier(name).replace(".", "\".\"");
  }

  private static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A literal that means the same whatever standard_conforming_strings is. */
  public static String literal(String value) {
    String quoted = value.replace("'", "''");
    return quoted.indexOf('\\') < 0
        ? "'" + quoted + "'"
        : "E'" + quoted.replace("\\", "\\\\") + "'";
  }
}
