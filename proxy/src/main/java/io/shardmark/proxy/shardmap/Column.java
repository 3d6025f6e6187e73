package io.shardmark.proxy.shardmap;

/**
 * A column of a table.
 *
 * @param typeOid as in pg_type
 * @param byteOrdered text compares as its bytes do (collation C, POSIX or C.UTF-8); true for types
 *     without a collation
 * @param equality what makes two values equal
 * @param filling what a row gets that is inserted without a value for it
 */
public record Column(
    String name, int typeOid, boolean byteOrdered, Equality equality, Filling filling) {
  /** What makes two values of a column equal. */
  public enum Equality {
    /** Equal bytes, as far as the type has a collation. */
    OF_BYTES,
    /** A nondeterministic collation: different bytes may be equal. */
    OF_COLLATION
  }

  /** What the server puts into a column that an INSERT leaves out. */
  public enum Filling {
    /** The same on every shard: NULL, a constant, or an expression of immutable functions. */
    SAME,
    /** Drawn from a sequence, the clock, chance, or a function nobody knows. */
    MAY_DIFFER
  }

  /** Of a deterministic collation, without a default that could differ between shards. */
  public Column(String name, int typeOid, boolean byteOrdered) {
    this(name, typeOid, byteOrdered, Equality.OF_BYTES, Filling.SAME);
  }
}
