package io.shardmark.proxy.shardmap;

/**
 * A column of a table.
 *
 * @param typeOid as in pg_type
 * @param byteOrdered text compares as its bytes do (collation C, POSIX or C.UTF-8); true for types
 *     without a collation
 * @param filling what a row gets that is inserted without a value for it
 */
public record Column(String name, int typeOid, boolean byteOrdered, Filling filling) {
  /** What the server puts into a column that an INSERT leaves out. */
  public enum Filling {
    /** The same on every shard: NULL, a constant, or an expression of immutable functions. */
    SAME,
    /** Computed from the row's other columns; COPY leaves it out. */
    GENERATED,
    /** Drawn from a sequence, the clock or chance. */
    MAY_DIFFER,
    /** Computed by a function of a user's that is VOLATILE: it may change rows too. */
    MAY_WRITE
  }

  /** Without a default that could differ between shards. */
  public Column(String name, int typeOid, boolean byteOrdered) {
    this(name, typeOid, byteOrdered, Filling.SAME);
  }
}
