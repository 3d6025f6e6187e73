package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.CommitFrame;
import io.shardmark.proxy.commit.CommitPlan;
import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.commit.CommitState;
import io.shardmark.proxy.commit.CommitStatement;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shardmap.ShardSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Commits one transaction over real shards as a session would, but over JDBC and in sequence. All
 * shards are writers, the last one is the anchor. Before and after every action a hook runs, which
 * may throw to "crash" the coordinator.
 */
final class JdbcCoordinator implements AutoCloseable {
  private final Gid gid;
  private final List<ShardAccess> shards;
  private final List<Connection> connections = new ArrayList<>();
  private final Consumer<String> hook;
  private final CommitPlan plan;

  JdbcCoordinator(Gid gid, List<ShardAccess> shards, Consumer<String> hook) throws SQLException {
    this(gid, shards, ShardSet.EMPTY, hook);
  }

  JdbcCoordinator(Gid gid, List<ShardAccess> shards, ShardSet last, Consumer<String> hook)
      throws SQLException {
    this.gid = gid;
    this.shards = shards;
    this.hook = hook;
    List<Integer> writers = new ArrayList<>();
    for (ShardAccess shard : shards) {
      writers.add(writers.size());
      connections.add(shard.open());
    }
    plan = new CommitPlan(writers, List.of(), CommitPlan.ReaderOrder.WITH_WRITER, last);
  }

  /** Writes on every shard in a transaction and commits it; returns what the client is told. */
  Outcome commit(String sql) throws SQLException {
    for (Connection connection : connections) {
      execute(connection, "BEGIN");
      execute(connection, sql);
    }
    CommitState state = CommitState.begin(plan);
    Deque<Map.Entry<Integer, CommitStatement>> due = new ArrayDeque<>(state.sends().entrySet());
    while (!due.isEmpty()) {
      int shard = due.peek().getKey();
      CommitState next = state.on(perform(due.remove().getValue(), shard), shard);
      due.addAll(next.sends(state).entrySet());
      state = next;
    }
    if (state.outcome() == Outcome.COMMITTED) {
      hook.accept("before answer 0");
    }
    if (!state.left().isEmpty()) {
      hook.accept("recover 0");
    }
    return state.outcome();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private CommitState.Event perform(CommitStatement statement, int shard) {
    String step = statement.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + shard;
    hook.accept("before " + step);
    try {
      execute(connections.get(shard), sql(statement, shard));
    } catch (SQLException e) {
      if (statement == CommitStatement.RECOVER
          && SqlState.UNDEFINED_OBJECT.code().equals(e.getSQLState())) {
        return CommitState.Event.DONE; // recovery was first
      }
      return statement == CommitStatement.DECIDE
              && SqlState.UNIQUE_VIOLATION.code().equals(e.getSQLState())
          ? CommitState.Event.DECISION_TAKEN
          : CommitState.Event.FAILED;
    }
    hook.accept("after " + step);
    return CommitState.Event.DONE;
  }

  private String sql(CommitStatement statement, int index) {
    String shard = shards.get(index).name();
    return switch (statement) {
      case PREPARE ->
          (plan.last().contains(index) ? CommitSql.MARK_LAST : "")
              + CommitSql.prepare(gid, shard, CommitFrame.NONE);
      case COMMIT -> throw new IllegalStateException("no readers");
      case ROLLBACK -> statement.tag();
      case DECIDE -> CommitSql.decideAndCommit(gid, CommitFrame.NONE);
      case COMMIT_PREPARED, RECOVER -> CommitSql.commitPrepared(gid, shard);
      case ROLLBACK_PREPARED -> CommitSql.rollbackPrepared(gid, shard);
    };
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
