package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.RoutingView;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cursors that a client has declared in SQL. One whose query is on one shard is that server's
 * own, and what is said of it is passed on there; others are the proxy's.
 */
public final class SqlCursors {
  private final Transaction transaction;
  private Map<String, OpenCursor> byName = Map.of();

  /**
   * @param shard of a server's own, else -1
   * @param scatter the proxy's own, else null
   * @param committed the transaction that has declared it is over
   * @param savepoints how many were open when it was declared
   */
  private record OpenCursor(
      int shard, @Nullable ScatterCursor scatter, boolean hold, boolean committed, int savepoints) {
    boolean isAlive() {
      return scatter == null || scatter.isAlive();
    }

    OpenCursor rolledBackTo(int savepointsNow) {
      return new OpenCursor(shard, scatter, hold, committed, savepointsNow);
    }

    OpenCursor whenCommitted() {
      return new OpenCursor(shard, scatter, hold, true, 0);
    }
  }

  SqlCursors(Transaction transaction) {
    this.transaction = transaction;
  }

  private @Nullable OpenCursor find(String name) {
    OpenCursor entry = byName.get(name);
    return entry != null && entry.isAlive() ? entry : null;
  }

  /** As {@link RoutingView#shardOfCursor}. */
  public int shardOf(String name) {
    OpenCursor known = find(name);
    if (known == null) {
      return RoutingView.UNKNOWN;
    }
    return known.scatter() == null ? known.shard() : RoutingView.OVER_SEVERAL;
  }

  /** That shard's server has executed DECLARE. */
  public void declared(StatementPlan.DeclareCursor declare, int shard) {
    put(declare.name(), shard, null, declare.hold());
  }

  /** One over several shards. */
  void keep(String name, ScatterCursor cursor) {
    put(name, -1, cursor, false);
  }

  private void put(String name, int shard, @Nullable ScatterCursor scatter, boolean hold) {
    Map<String, OpenCursor> alive = new HashMap<>(byName);
    alive.values().removeIf(each -> !each.isAlive());
    alive.put(name, new OpenCursor(shard, scatter, hold, false, transaction.savepoints().size()));
    byName = alive;
  }

  /** RELEASE SAVEPOINT: what was declared since then belongs to the one before. */
  void released(int savepointsLeft) {
    if (!byName.isEmpty()) {
      byName.replaceAll(
          (name, entry) -> entry.rolledBackTo(Math.min(entry.savepoints(), savepointsLeft)));
    }
  }

  /** ROLLBACK TO SAVEPOINT: what was declared since then is gone. */
  void rolledBackTo(int savepoint) {
    if (!byName.isEmpty()) {
      byName.values().removeIf(entry -> entry.savepoints() > savepoint);
    }
  }

  /** What a transaction has declared WITH HOLD stays if it is committed. */
  public void transactionOver(boolean committed) {
    if (!byName.isEmpty()) {
      byName.values().removeIf(entry -> !entry.committed() && !(entry.hold() && committed));
      byName.replaceAll((name, entry) -> entry.whenCommitted());
    }
  }

  /** Refuses a name that is taken. */
  void requireNew(String name) {
    if (find(name) != null) {
      throw new StatementException(
          SqlState.DUPLICATE_CURSOR, "cursor \"" + name + "\" already exists");
    }
  }

  /** The columns of one over several shards, none if there is no such cursor. */
  public Optional<List<RowField>> fields(String name) {
    OpenCursor entry = find(name);
    return Optional.ofNullable(entry == null ? null : entry.scatter()).map(ScatterCursor::fields);
  }

  /** One over several shards. */
  public ScatterCursor scatter(String name) {
    OpenCursor entry = find(name);
    ScatterCursor cursor = entry == null ? null : entry.scatter();
    if (cursor == null) {
      throw new StatementException(
          SqlState.INVALID_CURSOR_NAME, "cursor \"" + name + "\" does not exist");
    }
    return cursor;
  }

  /**
   * CLOSE, the proxy's own.
   *
   * @return the shard on which a server has it, or -1 if it is over several
   */
  public int close(String name) {
    OpenCursor entry = find(name);
    if (entry == null || entry.scatter() != null) {
      scatter(name).close();
    }
    forget(name);
    return entry == null ? -1 : entry.shard();
  }

  /** It is closed, if there is one. */
  public void forget(String name) {
    if (!byName.isEmpty()) { // else it cannot be changed
      byName.remove(name);
    }
  }

  /** CLOSE ALL, the proxy's own. */
  void closeAll() {
    for (OpenCursor entry : byName.values()) {
      if (entry.scatter() != null) {
        entry.scatter().close();
      }
    }
    byName = Map.of();
  }
}
