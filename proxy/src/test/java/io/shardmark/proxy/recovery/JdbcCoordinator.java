package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.CommitActions;
import io.shardmark.proxy.commit.CommitFailure;
import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.commit.CommitRun;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.protocol.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Commits one transaction over real shards as a session would, but over JDBC and in sequence. All
 * shards are writers, the last one is the anchor. Before and after every action a hook runs, which
 * may throw to "crash" the coordinator.
 */
final class JdbcCoordinator implements CommitActions, AutoCloseable {
  private final Gid gid;
  private final List<ShardAccess> shards;
  private final List<Connection> connections = new ArrayList<>();
  private final Consumer<String> hook;
  private final CommitRun run;
  private Optional<Outcome> answer = Optional.empty();

  JdbcCoordinator(Gid gid, List<ShardAccess> shards, Consumer<String> hook) throws SQLException {
    this.gid = gid;
    this.shards = shards;
    this.hook = hook;
    List<Integer> writers = new ArrayList<>();
    for (ShardAccess shard : shards) {
      writers.add(writers.size());
      connections.add(shard.open());
    }
    CommitPlan plan = new CommitPlan(writers, List.of(), CommitPlan.ReaderOrder.WITH_WRITER);
    run = CommitRun.twoPhase(plan, gid, new GidSequence(), this);
  }

  /** Writes on every shard in a transaction and commits it; returns what the client is told. */
  Outcome commit(String sql) throws SQLException {
    for (Connection connection : connections) {
      execute(connection, "BEGIN");
      execute(connection, sql);
    }
    run.begin();
    return answer.orElseThrow();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void perform(String step, int shard, String sql, Runnable done) {
    hook.accept("before " + step + " " + shard);
    try {
      execute(connections.get(shard), sql);
    } catch (SQLException e) {
      boolean isDecision = sql.startsWith("INSERT");
      if (isDecision && SqlState.UNIQUE_VIOLATION.code().equals(e.getSQLState())) {
        run.on(state -> state.onDecisionTaken());
      } else {
        run.on(state -> state.onFailed(shard));
      }
      return;
    }
    hook.accept("after " + step + " " + shard);
    done.run();
  }

  @Override
  public void prepare(int shard) {
    perform(
        "prepare",
        shard,
        CommitSql.prepare(gid, shards.get(shard).name()),
        () -> run.on(state -> state.onPrepared(shard)));
  }

  @Override
  public void commit(int shard) {
    throw new IllegalStateException("no readers");
  }

  @Override
  public void rollback(int shard) {
    perform("rollback", shard, CommitSql.ROLLBACK, () -> run.on(s -> s.onRolledBack(shard)));
  }

  @Override
  public void decide(int anchor) {
    perform(
        "decide",
        anchor,
        CommitSql.decideAndCommit(gid, ""),
        () -> run.on(state -> state.onCommitted(anchor)));
  }

  @Override
  public void commitPrepared(int shard) {
    perform(
        "commit prepared",
        shard,
        CommitSql.commitPrepared(gid, shards.get(shard).name()),
        () -> run.on(state -> state.onCommittedPrepared(shard)));
  }

  @Override
  public void rollbackPrepared(int shard) {
    perform(
        "rollback prepared",
        shard,
        CommitSql.rollbackPrepared(gid, shards.get(shard).name()),
        () -> run.on(state -> state.onRolledBack(shard)));
  }

  @Override
  public void askAnchor(int anchor) {
    throw new IllegalStateException("no connection is ever lost");
  }

  @Override
  public void answerCommitted() {
    hook.accept("before answer 0");
    answer = Optional.of(Outcome.COMMITTED);
  }

  @Override
  public void answerFailed(CommitFailure failure) {
    answer = Optional.of(Outcome.ABORTED);
  }

  @Override
  public void answerUnknown() {
    answer = Optional.of(Outcome.UNKNOWN);
  }

  @Override
  public void recover() {
    hook.accept("recover 0");
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }

  /** Thrown by a hook: the coordinator's process is gone. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
