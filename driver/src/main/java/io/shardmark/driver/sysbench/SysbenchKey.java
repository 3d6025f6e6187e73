package io.shardmark.driver.sysbench;

import static io.shardmark.config.KeyType.decimal;
import static io.shardmark.config.KeyType.flag;
import static io.shardmark.config.KeyType.oneOf;
import static io.shardmark.config.KeyType.whole;
import static io.shardmark.config.KeyUse.BY_BOTH;
import static io.shardmark.config.KeyUse.BY_DRIVER;

import io.shardmark.config.Key;
import io.shardmark.config.KeyType;
import io.shardmark.config.KeyUse;
import java.util.Set;

/** The keys of {@code workload=sysbench-oltp}: sysbench's options, spelled as keys are here. */
enum SysbenchKey implements Key {
  TEST(
      "sysbenchTest",
      oneOf(SysbenchTest.class),
      "oltp_read_write",
      BY_DRIVER,
      "`oltp_read_write`, `oltp_read_only`, `oltp_write_only`, `oltp_point_select`, `oltp_update_index`, `oltp_update_non_index`, `select_random_points`, `select_random_ranges`, `oltp_delete`, `oltp_insert`"),
  TABLES("tables", whole(1, 10_000), "1", BY_BOTH, "tables `sbtest1`, `sbtest2`, ..."),
  TABLE_SIZE(
      "tableSize",
      whole(1, 2_000_000_000),
      "10000",
      BY_BOTH,
      "rows of each (one has about 220 bytes, its index entries 40)"),
  CREATE_SECONDARY(
      "createSecondary", flag(), "true", BY_BOTH, "an index on `k`; `sysbench --create_secondary`"),
  RANGE_SIZE("rangeSize", whole(1, 1_000_000), "100", BY_DRIVER, "rows of each range"),
  POINT_SELECTS("pointSelects", times(), "10", BY_DRIVER, "rows read by id, in each transaction"),
  SIMPLE_RANGES("simpleRanges", times(), "1", BY_DRIVER, "ranges of ids read"),
  SUM_RANGES("sumRanges", times(), "1", BY_DRIVER, "sums of `k` over a range"),
  ORDER_RANGES("orderRanges", times(), "1", BY_DRIVER, "ranges read in the order of `c`"),
  DISTINCT_RANGES("distinctRanges", times(), "1", BY_DRIVER, "distinct values of `c` in a range"),
  RANGE_SELECTS("rangeSelects", flag(), "true", BY_DRIVER, "false: none of these four"),
  INDEX_UPDATES("indexUpdates", times(), "1", BY_DRIVER, "updates of `k`"),
  NON_INDEX_UPDATES("nonIndexUpdates", times(), "1", BY_DRIVER, "updates of `c`"),
  DELETE_INSERTS(
      "deleteInserts", times(), "1", BY_DRIVER, "rows deleted and put back with other values"),
  RANDOM_POINTS(
      "randomPoints", several(), "10", BY_DRIVER, "`select_random_points`: values of `k`"),
  NUMBER_OF_RANGES(
      "numberOfRanges", several(), "10", BY_DRIVER, "`select_random_ranges`: ranges of `k`"),
  DELTA("delta", several(), "5", BY_DRIVER, "`select_random_ranges`: length of each range"),
  SKIP_TRX("skipTrx", flag(), "false", BY_DRIVER, "true: every statement is one transaction"),
  RAND_TYPE(
      "randType",
      oneOf(KeyDistribution.Name.class),
      "special",
      BY_BOTH,
      "how ids are drawn: `uniform`, `gaussian`, `special`, `pareto`, or `zipfian` as sysbench 1.1 has it"),
  RAND_SPEC_PCT(
      "randSpecPct", whole(1, 100), "1", BY_BOTH, "`special`: percent of ids that are hot"),
  RAND_SPEC_RES(
      "randSpecRes", whole(0, 100), "75", BY_BOTH, "`special`: percent of draws that hit a hot id"),
  RAND_SPEC_ITER(
      "randSpecIter",
      whole(1, 1000),
      "12",
      BY_BOTH,
      "`special`, `gaussian`: uniform draws whose mean makes the bell"),
  RAND_PARETO_H(
      "randParetoH",
      decimal(0, 1),
      "0.2",
      BY_BOTH,
      "`pareto`: 0.2 sends 80 percent of draws to 20 percent of the ids"),
  RAND_ZIPFIAN_EXP("randZipfianExp", decimal(0, 10), "0.8", BY_BOTH, "`zipfian`: the exponent");

  @SuppressWarnings("ImmutableEnumChecker") // records of values, and what Set.of makes
  private final Traits traits;

  SysbenchKey(String key, KeyType type, String missing, Set<KeyUse> uses, String meaning) {
    traits = new Traits(key, type, missing, uses, "Shardmark", meaning);
  }

  /** How often a transaction does something. */
  private static KeyType times() {
    return whole(0, 1000);
  }

  private static KeyType several() {
    return whole(1, 1000);
  }

  @Override
  public Traits traits() {
    return traits;
  }
}
