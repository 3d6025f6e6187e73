package io.shardmark.proxy.metrics;

/** What background threads count: recovery, deadlocks, catalog. */
public enum BackgroundCounter {
  RECOVERED_COMMITTED(recovered("committed")),
  RECOVERED_ROLLED_BACK(recovered("rolled_back")),
  /** A shard could not be asked in a run of recovery; it will be asked again. */
  RECOVERY_FAILURES(new MetricName("recovery_failures", "Recovery attempts that failed")),
  TRANSACTIONS_IN_DOUBT(
      new MetricName(
              "transactions_in_doubt", "Prepared transactions without decision at the last look")
          .asGauge()),
  /** Each time a member was cancelled. */
  DEADLOCKS_BROKEN(
      new MetricName("deadlocks_broken", "Deadlocks over several shards that were broken")),
  CATALOG_READS(new MetricName("catalog_reads", "Looks at the catalogs")),
  CATALOG_FAILURES(
      new MetricName("catalog_failures", "Looks at the catalogs in which a shard did not answer"));

  private static MetricName recovered(String outcome) {
    return new MetricName(
        "recovered_transactions", "outcome", outcome, "Prepared transactions finished by recovery");
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
