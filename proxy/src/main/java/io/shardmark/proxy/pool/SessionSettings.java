package io.shardmark.proxy.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Session parameters that differ from a server's defaults: name to the SET statement that gives it
 * its value. Immutable.
 */
public record SessionSettings(Map<String, String> statements) {
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

  /** What must be said to a server that has these, so that it has those. */
  public List<String> statementsTo(SessionSettings wanted) {
    List<String> result = new ArrayList<>();
    if (is(UNKNOWN)) {
      result.add("RESET ROLE");
      result.add("RESET ALL");
      result.addAll(new TreeMap<>(wanted.statements).values());
      return result;
    }
    for (String name : new TreeMap<>(statements).keySet()) {
      if (!wanted.statements.containsKey(name)) {
        result.add("RESET " + name);
      }
    }
    new TreeMap<>(wanted.statements)
        .forEach(
            (name, statement) -> {
              if (!statement.equals(statements.get(name))) {
                result.add(statement);
              }
            });
    return result;
  }
}
