package io.shardmark.driver.bmt;

import static io.shardmark.config.KeyType.text;
import static io.shardmark.config.KeyType.whole;
import static io.shardmark.config.KeyUse.BY_BOTH;
import static io.shardmark.config.KeyUse.BY_DRIVER;

import io.shardmark.config.Key;
import io.shardmark.config.KeyType;
import io.shardmark.config.KeyUse;
import io.shardmark.config.PropertyReader;
import java.util.Set;

/** The keys of {@code workload=bmt}. */
enum BmtKey implements Key {
  ROWS(
      "rows",
      whole(1, 100_000_000),
      "100000",
      BY_BOTH,
      "rows that a build loads, about 4 kB each; a multiple of `statementsPerCommit`"),
  OPERATIONS(
      "operations",
      text("list"),
      "insert",
      BY_DRIVER,
      "`insert`, `delete`, `select`, `update`; several with weights: `insert@1, delete@1`"),
  STATEMENTS_PER_COMMIT(
      "statementsPerCommit",
      whole(1, 10_000),
      "10",
      BY_BOTH,
      "statements of one transaction, all of one operation");

  @SuppressWarnings("ImmutableEnumChecker") // records of values, and what Set.of makes
  private final Traits traits;

  BmtKey(String key, KeyType type, String missing, Set<KeyUse> uses, String meaning) {
    traits = new Traits(key, type, missing, uses, "Shardmark", meaning);
  }

  @Override
  public Traits traits() {
    return traits;
  }

  /** The key {@code rows}, which must be whole transactions. */
  static int rows(PropertyReader values) {
    int rows = values.integer(ROWS);
    int statements = values.integer(STATEMENTS_PER_COMMIT);
    if (rows % statements != 0) {
      throw values.bad(ROWS, "a multiple of statementsPerCommit=" + statements);
    }
    return rows;
  }
}
