package io.shardmark.driver.verify;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.shards.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks conditions over the shards of one endpoint. All rows of a partition are on one shard, so
 * every shard is asked the same statements about its own; conditions that reach further are put
 * together here from each shard's sums.
 *
 * <p>What it relies on: {@code SET shardmark.shard = 'name'} sends all that follows on a connection
 * to that shard unchanged. The texts are set-based, with joins, grouping and windows over several
 * tables, so an endpoint could not split them itself.
 *
 * <p>Where the endpoint exports one snapshot of all shards, every statement sees it; elsewhere no
 * transaction should be running meanwhile. Used once, by one thread.
 */
public final class ShardedVerifier {
  private final ConnectionSource endpoint;
  private final List<Shard> shards;
  private final int parallelism;
  private @Nullable String snapshot;

  /**
   * @param endpoint opens connections to the endpoint, which speaks PostgreSQL's protocol
   * @param parallelism number of connections at once, from 1
   */
  public ShardedVerifier(ConnectionSource endpoint, List<Shard> shards, int parallelism) {
    this.endpoint = endpoint;
    this.shards = List.copyOf(shards);
    this.parallelism = parallelism;
  }

  /**
   * Runs all conditions and waits for them.
   *
   * @return the conditions in their order
   * @throws SQLException if a shard cannot be asked at all
   * @throws InterruptedException if the calling thread is interrupted
   */
  public List<ConditionResult> run(Conditions conditions)
      throws SQLException, InterruptedException {
    return run(conditions, conditions.all(DatabaseKind.POSTGRES), this::loadState);
  }

  /** Finds out whether the data are as they were loaded. */
  @FunctionalInterface
  interface LoadStateOf {
    LoadState of(Conditions conditions) throws SQLException;
  }

  /**
   * As {@link #run(Conditions)} with some of the conditions.
   *
   * @param all those that are wanted
   */
  List<ConditionResult> run(Conditions conditions, List<Condition> all, LoadStateOf state)
      throws SQLException, InterruptedException {
    try (Connection holder = endpoint.open()) {
      holder.setAutoCommit(true);
      snapshot = ReadTransaction.beginOverShards(holder);
      List<ConditionResult> results = check(conditions, all, state.of(conditions));
      ReadTransaction.end(holder);
      return results;
    }
  }

  private List<ConditionResult> check(
      Conditions conditions, List<Condition> all, LoadState loadState)
      throws SQLException, InterruptedException {
    Map<String, Condition> local = new LinkedHashMap<>();
    all.stream()
        .filter(condition -> condition.reach() == Condition.ConditionReach.PARTITION)
        .forEach(condition -> local.put(condition.name(), condition));
    Set<String> wanted = all.stream().map(Condition::name).collect(Collectors.toSet());
    conditions.ofEachShard().stream()
        .filter(condition -> wanted.contains(condition.name()))
        .forEach(condition -> local.put(condition.name(), condition));
    Map<String, ConditionResult> results = new HashMap<>();
    for (CrossShardCondition condition : conditions.overShards(shards.size())) {
      if (!wanted.contains(condition.name())) {
        continue;
      }
      ConditionResult result = check(condition);
      local.remove(result.name());
      results.put(result.name(), result);
    }
    for (Shard shard : shards) {
      new Verifier(() -> open(shard), DatabaseKind.POSTGRES, parallelism)
          .run(List.copyOf(local.values()), connection -> loadState, snapshot)
          .forEach(result -> results.merge(result.name(), result, ShardedVerifier::together));
    }
    return all.stream()
        .map(condition -> Objects.requireNonNull(results.get(condition.name())))
        .toList();
  }

  /** As {@link Verifier#readsOneSnapshot}, over all shards. */
  public boolean readsOneSnapshot() {
    return snapshot != null;
  }

  /** As loaded only if no shard has changed. */
  private LoadState loadState(Conditions conditions) throws SQLException {
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

  private ConditionResult check(CrossShardCondition condition) {
    long start = System.nanoTime();
    CrossShardCondition.Sums sums = new CrossShardCondition.Sums(condition);
    try {
      for (Shard shard : shards) {
        try (Connection connection = open(shard);
            Statement statement = connection.createStatement()) {
          ReadTransaction.join(connection, snapshot);
          sums.add(statement.executeQuery(condition.sql()));
          ReadTransaction.end(connection);
        }
      }
      return sums.judge(Duration.ofNanos(System.nanoTime() - start));
    } catch (SQLException e) {
      return ConditionResult.without(
          condition.clause(),
          condition.sentence(),
          Verdict.ERROR,
          FirstLine.of(e),
          Duration.ofNanos(System.nanoTime() - start));
    }
  }

  /** The worse of two shards' results, with the offenders of both. */
  private static ConditionResult together(ConditionResult a, ConditionResult b) {
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
