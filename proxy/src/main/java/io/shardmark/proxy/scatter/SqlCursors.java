package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.RoutingView;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cursors that a client has declared in SQL. One whose query is on one shard is that server's
 * own, and what is said of it is passed on there; others are the proxy's.
 */
public final class SqlCursors {
  private final Transaction transaction;
  private Map<String, Entry> byName = Map.of();

  /**
   * @param shard of a server's own, else -1
   */
  private record Entry(
      int shard, @Nullable ScatterCursor scatter, long transaction, boolean hold) {}

  SqlCursors(Transaction transaction) {
    this.transaction = transaction;
  }

  private @Nullable Entry find(String name) {
    Entry entry = byName.get(name);
    return entry != null && isAlive(entry) ? entry : null;
  }

  private boolean isAlive(Entry entry) {
    if (entry.scatter() != null) {
      return entry.scatter().isAlive();
    }
    return entry.hold()
        || (transaction.mode() != Mode.NONE && transaction.number() == entry.transaction());
  }

  /** As {@link RoutingView#shardOfCursor}. */
  public int shardOf(String name) {
    Entry known = find(name);
    if (known == null) {
      return RoutingView.UNKNOWN;
    }
    return known.scatter() == null ? known.shard() : RoutingView.OVER_SEVERAL;
  }

  /** DECLARE goes to that shard. */
  public void passedOn(StatementPlan.DeclareCursor declare, int shard) {
    put(declare.name(), new Entry(shard, null, transaction.number(), declare.hold()));
  }

  /** One over several shards. */
  void keep(String name, ScatterCursor cursor) {
    put(name, new Entry(-1, cursor, transaction.number(), false));
  }

  private void put(String name, Entry entry) {
    Map<String, Entry> alive = new HashMap<>(byName);
    alive.values().removeIf(each -> !isAlive(each));
    alive.put(name, entry);
    byName = alive;
  }

  /** Refuses a name that is taken. */
  void requireNew(String name) {
    if (find(name) != null) {
      throw new StatementException(
          SqlState.DUPLICATE_CURSOR, "cursor \"" + name + "\" already exists");
    }
  }

  /** The columns of one over several shards. */
  public List<RowField> fields(String name) {
    return scatter(name).fields();
  }

  /** One over several shards. */
  public ScatterCursor scatter(String name) {
    Entry entry = find(name);
    ScatterCursor cursor = entry == null ? null : entry.scatter();
    if (cursor == null) {
      throw new StatementException(
          SqlState.INVALID_CURSOR_NAME, "cursor \"" + name + "\" does not exist");
    }
    return cursor;
  }

  /** CLOSE of one over several shards. */
  public void close(String name) {
    scatter(name).close();
    forget(name);
  }

  /** It is closed. */
  public void forget(String name) {
    if (!byName.isEmpty()) { // else it cannot be changed
      byName.remove(name);
    }
  }

  /**
   * CLOSE ALL, the proxy's own.
   *
   * @return the shards on which servers have others
   */
  Set<Integer> closeAll() {
    Set<Integer> shards = new HashSet<>();
    for (Entry entry : byName.values()) {
      if (entry.scatter() != null) {
        entry.scatter().close();
      } else if (isAlive(entry)) {
        shards.add(entry.shard());
      }
    }
    byName = Map.of();
    return shards;
  }
}
