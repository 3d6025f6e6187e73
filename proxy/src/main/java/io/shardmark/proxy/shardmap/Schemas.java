package io.shardmark.proxy.shardmap;

import java.util.Set;

/**
 * Which schemas there are, and what sessions begin with: how names are looked up (PG18 §5.10.3
 * ddl-schemas-path).
 *
 * @param names all but PostgreSQL's own
 * @param functionsSet whether a function or procedure of a user may change settings that outlast it
 */
public record Schemas(
    Set<String> names, StartValues startValues, Overloads overloads, boolean functionsSet) {
  /** Nothing set, nothing known. */
  public static final Schemas NONE = new Schemas(Set.of(), StartValues.NONE, Overloads.NONE, true);

  public Schemas {
    names = Set.copyOf(names);
  }
}
