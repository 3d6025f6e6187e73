package io.shardmark.config;

import java.util.Set;

/** What of the program reads a key. */
public enum KeyUse {
  /** Whatever talks to the database. */
  CONNECTION,
  /** The loader. */
  LOAD,
  /** A run. */
  RUN,
  /** The tests of clause 3. */
  ACID;

  public static final Set<KeyUse> BY_ALL = Set.of(CONNECTION);
  public static final Set<KeyUse> BY_LOADER = Set.of(LOAD);
  public static final Set<KeyUse> BY_DRIVER = Set.of(RUN);
  public static final Set<KeyUse> BY_ACID = Set.of(ACID);
  public static final Set<KeyUse> BY_BOTH = Set.of(LOAD, RUN);

  /** The column <em>used by</em> of the reference. */
  static String label(Set<KeyUse> uses) {
    if (uses.contains(CONNECTION)) {
      return "all";
    }
    if (uses.contains(ACID)) {
      return "acid";
    }
    if (uses.size() > 1) {
      return "loader, driver";
    }
    return uses.contains(LOAD) ? "loader" : "driver";
  }
}
