package io.shardmark.proxy.metrics;

/** What background threads count: recovery, deadlocks, catalog. */
public enum BackgroundCounter {
  RECOVERED_COMMITTED(recovered("committed")),
  RECOVERED_ROLLED_BACK(recovered("rolled_back")),
  /** A shard could not be asked in a run of recovery; it will be asked again. */
  RECOVERY_FAILURES(
      new MetricName("shardmark_proxy_recovery_failures", "Recovery attempts that failed")),
  TRANSACTIONS_IN_DOUBT(
      new MetricName(
              "shardmark_proxy_transactions_in_doubt",
              "Prepared transactions without decision at the last look")
          .asGauge()),
  /** Each time a member was cancelled. */
  DEADLOCKS_BROKEN(
      new MetricName(
          "shardmark_proxy_deadlocks_broken", "Deadlocks over several shards that were broken")),
  CATALOG_READS(new MetricName("shardmark_proxy_catalog_reads", "Looks at the catalogs")),
  CATALOG_FAILURES(
      new MetricName(
          "shardmark_proxy_catalog_failures",
          "Looks at the catalogs in which a shard did not answer"));

  private static MetricName recovered(String outcome) {
    return new MetricName(
        "shardmark_proxy_recovered_transactions",
        "outcome",
        outcome,
        "Prepared transactions finished by recovery");
  }

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final MetricName metric;

  BackgroundCounter(MetricName metric) {
    this.metric = metric;
  }

  MetricName metric() {
    return metric;
  }
}
