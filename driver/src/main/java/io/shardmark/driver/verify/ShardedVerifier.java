package io.shardmark.driver.verify;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.verify.Condition.ConditionScope;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.shards.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks conditions over the shards of one endpoint. All rows of a partition are on one shard, so
 * every shard is asked the same statements about its own; figures of rules that reach further are
 * added up here.
 *
 * <p>What it relies on: {@code SET shardmark.shard = 'name'} sends all that follows on a connection
 * to that shard unchanged. The texts are set-based, with joins, grouping and windows over several
 * tables, so an endpoint could not split them itself.
 *
 * <p>Where the endpoint exports one snapshot of all shards, every statement sees it; elsewhere no
 * transaction should be running meanwhile.
 *
 * @param endpoint opens connections to the endpoint, which speaks PostgreSQL's protocol
 * @param parallelism number of connections at once, from 1
 */
public record ShardedVerifier(ConnectionSource endpoint, List<Shard> shards, int parallelism) {
  public ShardedVerifier {
    shards = List.copyOf(shards);
  }

  /**
   * Runs all conditions and waits for them.
   *
   * @throws SQLException if a shard cannot be asked at all
   * @throws InterruptedException if the calling thread is interrupted
   */
  public Verifier.Findings run(Conditions conditions) throws SQLException, InterruptedException {
    try (Connection holder = endpoint.open()) {
      holder.setAutoCommit(true);
      String snapshot = ReadTransaction.beginOverShards(holder);
      List<Condition> all = conditions.all(DatabaseKind.POSTGRES);
      List<ConditionResult> results = check(all, loadState(conditions, all), snapshot);
      ReadTransaction.end(holder);
      return new Verifier.Findings(results, snapshot != null);
    }
  }

  private List<ConditionResult> check(
      List<Condition> all, LoadState loadState, @Nullable String snapshot)
      throws SQLException, InterruptedException {
    Map<Condition, ConditionResult> results = new HashMap<>();
    List<Condition> local = new ArrayList<>();
    for (Condition condition : all) {
      if (condition.expected().isEmpty()) {
        local.add(condition);
      } else {
        results.put(condition, checkSums(condition, snapshot));
      }
    }
    for (Shard shard : shards) {
      List<ConditionResult> found =
          new Verifier(() -> open(shard), DatabaseKind.POSTGRES, parallelism)
              .run(local, connection -> loadState, snapshot)
              .results();
      for (int i = 0; i < found.size(); i++) {
        results.merge(local.get(i), found.get(i), ShardedVerifier::together);
      }
    }
    return all.stream().map(condition -> Objects.requireNonNull(results.get(condition))).toList();
  }

  /** As loaded only if no shard has changed; none is asked where it makes no difference. */
  private LoadState loadState(Conditions conditions, List<Condition> all) throws SQLException {
    if (all.stream().allMatch(condition -> condition.scope() == ConditionScope.ALWAYS)) {
      return LoadState.AS_LOADED;
    }
    for (Shard shard : shards) {
      try (Connection connection = open(shard)) {
        LoadState state = Verifier.loadState(conditions, connection);
        if (state.verdict() != Verdict.PASS) {
          return state;
        }
      }
    }
    return LoadState.AS_LOADED;
  }

  private Connection open(Shard shard) throws SQLException {
    return ShardRoute.open(endpoint, shard);
  }

  private ConditionResult checkSums(Condition condition, @Nullable String snapshot) {
    long start = System.nanoTime();
    ShardSums sums = new ShardSums(condition);
    try {
      for (Shard shard : shards) {
        try (Connection connection = open(shard);
            Statement statement = connection.createStatement()) {
          ReadTransaction.join(connection, snapshot);
          sums.add(statement.executeQuery(condition.shardSql()));
          ReadTransaction.end(connection);
        }
      }
      return sums.judge(Duration.ofNanos(System.nanoTime() - start));
    } catch (SQLException e) {
      return ConditionResult.without(
          condition, Verdict.ERROR, FirstLine.of(e), Duration.ofNanos(System.nanoTime() - start));
    }
  }

  /** The worse of two shards' results, with the offenders of both. */
  static ConditionResult together(ConditionResult a, ConditionResult b) {
    ConditionResult worse = b.verdict().compareTo(a.verdict()) > 0 ? b : a;
    List<String> samples = new ArrayList<>(a.samples());
    samples.addAll(b.samples());
    return new ConditionResult(
        a.clause(),
        a.sentence(),
        worse.verdict(),
        worse.reason(),
        a.offendingRows() + b.offendingRows(),
        samples.subList(0, Math.min(samples.size(), ConditionResult.MAX_SAMPLES)),
        a.duration().plus(b.duration()));
  }
}
