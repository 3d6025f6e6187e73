package io.shardmark.proxy.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Session parameters that differ from a server's defaults: name to the SET statement that gives it
 * its value. Immutable.
 */
public record SessionSettings(Map<String, String> statements) {
  /** The name under which SET ROLE is kept. */
  public static final String ROLE = "role";

  /** The name under which SET SESSION AUTHORIZATION is kept. */
  public static final String SESSION_USER = "session_authorization";

  /** None changed. */
  public static final SessionSettings NONE = new SessionSettings(Map.of());

  /** Of a server whose settings a partial rollback has made uncertain. */
  public static final SessionSettings UNKNOWN = new SessionSettings(Map.of("", ""));

  public SessionSettings {
    statements = Map.copyOf(statements);
  }

  /** Whether they are the same object: equal ones of one event loop are. */
  @SuppressWarnings("ReferenceEquality")
  public boolean is(SessionSettings other) {
    return this == other;
  }

  /** With one more. */
  public SessionSettings with(String name, String statement) {
    Map<String, String> more = new TreeMap<>(statements);
    more.put(name, statement);
    return new SessionSettings(more);
  }

  /** With one at its default. */
  public SessionSettings without(String name) {
    if (!statements.containsKey(name)) {
      return this;
    }
    Map<String, String> fewer = new TreeMap<>(statements);
    fewer.remove(name);
    return new SessionSettings(fewer);
  }

  /** With the role and the session user of another: no RESET ALL changes these (PG18 sql-reset). */
  public SessionSettings withIdentityOf(SessionSettings other) {
    SessionSettings result = this;
    for (String name : List.of(SESSION_USER, ROLE)) {
      String statement = other.statements.get(name);
      result = statement == null ? result.without(name) : result.with(name, statement);
    }
    return result;
  }

  /**
   * What must be said to a server that has these, so that it has those. Parameters are set as the
   * user who has logged in, since a role may not be allowed to; then the session user, which undoes
   * the role, then the role.
   */
  public List<String> statementsTo(SessionSettings wanted) {
    Map<String, String> before = parameters(statements);
    Map<String, String> after = parameters(wanted.statements);
    List<String> result = new ArrayList<>();
    boolean unknown = is(UNKNOWN);
    if (!unknown && before.equals(after) && identity().equals(wanted.identity())) {
      return result;
    }
    if (unknown || statements.containsKey(SESSION_USER)) {
      result.add("RESET SESSION AUTHORIZATION");
    }
    if (unknown || !identity().isEmpty()) {
      result.add("RESET ROLE");
    }
    if (unknown) {
      result.add("RESET ALL");
      before = Map.of();
    }
    for (String name : before.keySet()) {
      if (!after.containsKey(name)) {
        result.add("RESET " + name);
      }
    }
    for (Map.Entry<String, String> one : after.entrySet()) {
      if (!one.getValue().equals(before.get(one.getKey()))) {
        result.add(one.getValue());
      }
    }
    result.addAll(wanted.identity());
    return result;
  }

  /** The statements that change who the session is, in the order in which they work. */
  private List<String> identity() {
    return Stream.of(SESSION_USER, ROLE)
        .filter(statements::containsKey)
        .map(statements::get)
        .toList();
  }

  private static Map<String, String> parameters(Map<String, String> statements) {
    Map<String, String> parameters = new TreeMap<>(statements);
    parameters.remove(SESSION_USER);
    parameters.remove(ROLE);
    return parameters;
  }
}
