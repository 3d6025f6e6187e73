package io.shardmark.driver.live;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a run before it starts. Immutable.
 *
 * @param product name and version of the driver
 * @param metrics what the benchmark is judged by, the headline first
 * @param database value of the key {@code db}
 * @param statementProfile value of the key in effect
 * @param length of the interval; empty if it ends by number of transactions
 * @param transactions how many all terminals will do together; 0 if it ends by time
 * @param shards names of the shards if the database has several, else none
 */
public record RunFacts(
    int run,
    String product,
    String workload,
    List<TransactionType> types,
    List<MetricRule> metrics,
    String database,
    Scale scale,
    int terminals,
    int connections,
    String statementProfile,
    ZonedDateTime start,
    Duration rampUp,
    Optional<Duration> length,
    long transactions,
    List<String> shards) {

  public RunFacts {
    types = List.copyOf(types);
    metrics = List.copyOf(metrics);
    shards = List.copyOf(shards);
  }

  /** Those metrics that are known at each moment, the headline first. */
  public List<MetricRule> rates() {
    return metrics.stream().filter(MetricRule::isRate).toList();
  }
}
