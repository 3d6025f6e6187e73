package io.shardmark.proxy.shardmap;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What functions may do that are not PostgreSQL's own. A call by a name may be of any that has it,
 * one of PostgreSQL's own among them, as its arguments' types decide (PG18 §10.3 typeconv-func).
 *
 * @param worst what functions of a name could do, by schema, then by name
 */
public record Overloads(Map<String, Map<String, Harm>> worst) {
  /** No such functions. */
  public static final Overloads NONE = new Overloads(Map.of());

  /** What a function could do; what comes later is worse. */
  public enum Harm {
    /** Computes the same on every shard. */
    NOTHING,
    /** Has another value on another shard. */
    DIFFERS,
    /** Has another value at each call. */
    VOLATILE,
    /** May read and change tables, or is an aggregate of which nothing is known. */
    UNKNOWN
  }

  public Overloads {
    Map<String, Map<String, Harm>> copy = new HashMap<>();
    worst.forEach((schema, names) -> copy.put(schema, Map.copyOf(names)));
    worst = Map.copyOf(copy);
  }

  /** The worst that a name can mean where functions are looked up in these schemas, or null. */
  public @Nullable Harm of(String name, List<String> schemas) {
    Harm found = null;
    if (worst.isEmpty()) {
      return found;
    }
    for (String schema : schemas) {
      Harm harm = worst.getOrDefault(schema, Map.of()).get(name);
      if (harm != null && (found == null || harm.compareTo(found) > 0)) {
        found = harm;
      }
    }
    return found;
  }
}
