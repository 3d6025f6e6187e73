package io.shardmark.driver.replication;

import static io.shardmark.config.KeyType.oneOf;
import static io.shardmark.config.KeyType.text;
import static io.shardmark.config.KeyType.whole;
import static io.shardmark.config.KeyUse.BY_BOTH;
import static io.shardmark.config.KeyUse.BY_DRIVER;

import io.shardmark.config.Key;
import io.shardmark.config.KeyType;
import io.shardmark.config.KeyUse;
import io.shardmark.driver.benchmark.Endpoints;
import java.util.Set;

/** The keys of {@code workload=replication}. */
enum ReplicationKey implements Key {
  TABLES("tables", whole(1, 64), "1", BY_BOTH, "`t1` to `tN`; AT-P26 has 1, AT-P55 has 10"),
  ROWS(
      "rows",
      whole(0, 10_000_000),
      "100000",
      BY_BOTH,
      "rows that a build loads into each table; a multiple of `statementsPerCommit`, or 0"),
  DEAL_ROWS(
      "dealRows",
      whole(0, 10_000_000),
      "0",
      BY_DRIVER,
      "rows that a run inserts into each table, one transaction at a time dealt to the terminal"
          + " that is free; then `runTxnsPerTerminal` is the most that one terminal does. 0: each"
          + " terminal inserts as long as the run lasts"),
  TEXT_WIDTH(
      "textWidth",
      whole(10, 255),
      "255",
      BY_BOTH,
      "width of `c4` to `c6`: 255, or 10 as in test bed B, whose key is `c1` alone, without an"
          + " index on `c10`"),
  OPERATIONS(
      "operations",
      text("list"),
      "insert",
      BY_DRIVER,
      "`insert`, `delete`; both with weights: `insert@1, delete@1`"),
  STATEMENTS_PER_COMMIT(
      "statementsPerCommit",
      whole(1, 100_000),
      "10",
      BY_BOTH,
      "statements of one transaction: AT-P26 has 10, AT-P55 has 50000"),
  STANDBY_CONN(
      Endpoints.STANDBY_KEY,
      text("JDBC URL"),
      "none",
      BY_DRIVER,
      "the standby, reached with the same user and password; several with blanks between them."
          + " `conn=embedded:replicated` has its own"),
  STANDBY_COMMIT(
      "standbyCommit",
      oneOf(StandbyCommit.class),
      "async",
      BY_DRIVER,
      "what a COMMIT waits for: `async` the primary's disk alone; `remote_write`, `on`,"
          + " `remote_apply` the standby too, as PostgreSQL's `synchronous_commit`"),
  LOGICAL_APPLY(
      "logicalApply",
      oneOf(StandbySettings.LogicalApply.class),
      "unchanged",
      BY_DRIVER,
      "how a logical standby applies large transactions: `serial`, `parallel` (PostgreSQL 16 or"
          + " later), or as it is set"),
  DRAIN_SECS(
      "drainSecs",
      whole(1, 86_400),
      "600",
      BY_DRIVER,
      "seconds to wait at most until the standby has all, before the run and after it");

  @SuppressWarnings("ImmutableEnumChecker") // records of values, and what Set.of makes
  private final Traits traits;

  ReplicationKey(String key, KeyType type, String missing, Set<KeyUse> uses, String meaning) {
    traits = new Traits(key, type, missing, uses, meaning);
  }

  @Override
  public Traits traits() {
    return traits;
  }
}
