package io.shardmark.driver.tpcb;

import static io.shardmark.config.KeyType.oneOf;
import static io.shardmark.config.KeyType.text;
import static io.shardmark.config.KeyType.whole;
import static io.shardmark.config.KeyUse.BY_BOTH;
import static io.shardmark.config.KeyUse.BY_DRIVER;

import io.shardmark.config.Key;
import io.shardmark.config.KeyType;
import io.shardmark.config.KeyUse;
import java.util.Set;

/** The keys of {@code workload=tpcb}. */
enum TpcbKey implements Key {
  SCALE(
      "scale",
      // pgbench numbers accounts with integers below a scale of 20,000, with bigints from there on
      whole(1, 19_999),
      "1",
      BY_BOTH,
      "pgbench's scale factor: branches, each with 10 tellers and 100000 accounts (about 15 MB)"),
  ROWS_PER_TABLE(
      "rowsPerTable",
      whole(0, KeyType.NO_MOST),
      "0",
      BY_BOTH,
      "so many branches, tellers and accounts each, instead of `scale`; 0: by `scale`"),
  TABLES(
      "tpcbTables",
      oneOf(TpcbLayout.class),
      "pgbench",
      BY_BOTH,
      "`pgbench`: as `pgbench -i` makes them; `bigint`: 64-bit ids and balances, fillers of 72 (branches: 80) characters"),
  TRANSACTIONS(
      "transactions",
      text("list"),
      "tpcb-like",
      BY_DRIVER,
      "`tpcb-like`, `simple-update`, `select-only` as pgbench has them, or `no-history`; several with weights: `tpcb-like@1, select-only@9`"),
  STATEMENTS(
      "statements",
      oneOf(TpcbExecutor.Form.class),
      "separate",
      BY_DRIVER,
      "`separate`: one by one; `pipelined`: all of a transaction in one round trip; `function`: one call");

  @SuppressWarnings("ImmutableEnumChecker") // records of values, and what Set.of makes
  private final Traits traits;

  TpcbKey(String key, KeyType type, String missing, Set<KeyUse> uses, String meaning) {
    traits = new Traits(key, type, missing, uses, "Shardmark", meaning);
  }

  @Override
  public Traits traits() {
    return traits;
  }
}
