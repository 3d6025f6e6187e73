package io.shardmark.proxy.commit;

/**
 * Advisory locks of proxies, which are seen among those of the database's users (PG18 §53.13
 * view-pg-locks). All have two numbers, and as first one of these, which the manual names: a lock
 * with one number of 64 bits, and one with another first number, is never theirs.
 */
public enum ProxyLock {
  /** One proxy makes the tables of schema shardmark at a time. */
  CREATION,
  /** The upper half of the incarnation of a proxy that lives; the same connection holds both. */
  LIVING_UPPER,
  LIVING_LOWER,
  /** A proxy that hears of moves of tables. */
  PRESENCE,
  /** A transaction that moves tables. */
  MOVE,
  /** A proxy that makes a move of partitions, by the move's number. */
  GROWTH,
  /**
   * A transaction that ends last on this shard: what waits for its locks is to see all its rows.
   */
  ENDS_LAST;

  /** "Shm" and a zero. */
  static final int FIRST = 0x53686d00;

  /** The first number. */
  @SuppressWarnings("EnumOrdinal") // all proxies of a cluster are of one version, or agree on it
  public int classId() {
    return FIRST + ordinal();
  }

  /** A call of a function for advisory locks. */
  public String call(String function, int key) {
    return "pg_catalog.%s(%d, %d)".formatted(function, classId(), key);
  }
}
