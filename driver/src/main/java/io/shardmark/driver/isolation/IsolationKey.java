package io.shardmark.driver.isolation;

import static io.shardmark.config.KeyType.whole;
import static io.shardmark.config.KeyUse.BY_BOTH;
import static io.shardmark.config.KeyUse.BY_DRIVER;

import io.shardmark.config.Key;
import io.shardmark.config.KeyType;
import io.shardmark.config.KeyUse;
import java.util.Set;

/** The keys of {@code workload=isolation}. */
enum IsolationKey implements Key {
  LISTS("lists", whole(2, 10_000_000), "20000", BY_BOTH, "lists that a build makes, all empty"),
  LISTS_IN_USE(
      "listsInUse",
      whole(2, 1_000_000),
      "8",
      BY_DRIVER,
      "lists that transactions draw from at a time; fewer conflict more often"),
  APPENDS_PER_LIST(
      "appendsPerList",
      whole(1, 10_000),
      "16",
      BY_DRIVER,
      "appends, on the average, after which a list is left for the next one"),
  HISTORY_TRANSACTIONS(
      "historyTransactions",
      whole(1, 100_000_000),
      "250000",
      BY_DRIVER,
      "transactions after which a run ends; a million need 1 GB of heap");

  @SuppressWarnings("ImmutableEnumChecker") // records of values, and what Set.of makes
  private final Traits traits;

  IsolationKey(String key, KeyType type, String missing, Set<KeyUse> uses, String meaning) {
    traits = new Traits(key, type, missing, uses, "Shardmark", meaning);
  }

  @Override
  public Traits traits() {
    return traits;
  }
}
