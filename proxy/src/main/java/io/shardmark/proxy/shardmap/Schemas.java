package io.shardmark.proxy.shardmap;

import java.util.Map;
import java.util.Set;

/**
 * Which schemas there are, and the search_path with which a role's sessions begin (PG18 §5.10.3
 * ddl-schemas-path).
 *
 * @param names all but PostgreSQL's own
 * @param usualPath where nothing is set for the role, as PostgreSQL writes it
 * @param pathOfRole what ALTER ROLE has set, by role
 */
public record Schemas(Set<String> names, String usualPath, Map<String, String> pathOfRole) {
  /** What PostgreSQL begins with if nobody says anything else. */
  public static final String DEFAULT_PATH = "\"$user\", public";

  /** Nothing set, nothing known. */
  public static final Schemas NONE = new Schemas(Set.of(), DEFAULT_PATH, Map.of());

  public Schemas {
    names = Set.copyOf(names);
    pathOfRole = Map.copyOf(pathOfRole);
  }

  /** The search_path with which a session of that role begins. */
  public String pathOf(String role) {
    return pathOfRole.getOrDefault(role, usualPath);
  }
}
