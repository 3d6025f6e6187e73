package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Sharding;
import java.util.List;

/** The shards a statement needs. */
public sealed interface Target {
  /** One, whichever: reference tables, no tables, catalogs. */
  record Any() implements Target {}

  /**
   * Catalogs: always the same one, the first that can be reached, since what one server numbers
   * another one does not know by that number.
   */
  record First() implements Target {}

  /** Every shard. */
  record All() implements Target {}

  /** A known one. */
  record Fixed(int shard) implements Target {}

  /** The shards of all these keys together. */
  record Keys(List<KeySet> sets) implements Target {
    public Keys {
      sets = List.copyOf(sets);
    }
  }

  /**
   * Rows are met only where the sharding column has one of these values.
   *
   * @param use what the values are for
   */
  record KeySet(Sharding.ByColumn sharding, List<KeyExpression> values, KeyUse use) {
    public KeySet {
      values = List.copyOf(values);
    }
  }

  /** What a key's value does. */
  enum KeyUse {
    /** Finds rows: NULL finds none, and a value of another type is compared by its own rules. */
    COMPARED,
    /** Becomes a row's key: NULL has a place too, and a value becomes one of the key's type. */
    STORED
  }
}
