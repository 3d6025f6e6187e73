package io.shardmark.proxy.session;

import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.ParameterSource;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.session.Transaction.Mode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cursors that a client has declared in SQL. One whose query is on one shard is that server's
 * own, and what is said of it is passed on there; others are the proxy's.
 */
final class SqlCursors {
  private final ClientSession session;
  private @Nullable Map<String, Entry> byName;

  /**
   * @param shard of a server's own, else -1
   */
  private record Entry(
      int shard, @Nullable ScatterCursor scatter, long transaction, boolean hold) {}

  SqlCursors(ClientSession session) {
    this.session = session;
  }

  private @Nullable Entry find(String name) {
    Entry entry = byName == null ? null : byName.get(name);
    if (entry == null) {
      return null;
    }
    ScatterCursor scatter = entry.scatter();
    boolean alive =
        scatter != null
            ? scatter.isAlive()
            : entry.hold()
                || (session.transaction().mode() != Mode.NONE
                    && session.transaction().number() == entry.transaction());
    return alive ? entry : null;
  }

  /** The shard that a statement on a cursor can be passed on to as it is, or SEVERAL. */
  int shardOf(StatementPlan.Cursor plan, ParameterSource values) {
    if (!(plan instanceof StatementPlan.DeclareCursor declare)) {
      return shardOf(plan);
    }
    Entry known = find(plan.name());
    int shard = session.choice().shard(declare.query(), values);
    if (shard == ShardChoice.ANY) {
      shard = session.choice().anyShard();
    }
    // A server would not know of a cursor of that name elsewhere.
    return known != null && known.shard() != shard ? ShardChoice.SEVERAL : shard;
  }

  /**
   * The shard whose server has a portal that DECLARE made, ANY if it has none of that name, or
   * SEVERAL if the proxy has it. With one shard the server alone knows.
   */
  int shardOfPortal(String name) {
    if (session.context().shardCount() == 1) {
      return session.isIdle() && !session.links().isPinned() ? ShardChoice.ANY : 0;
    }
    Entry known = find(name);
    return known == null
        ? ShardChoice.ANY
        : known.shard() < 0 ? ShardChoice.SEVERAL : known.shard();
  }

  /** The shard whose server knows the cursor, or SEVERAL. */
  int shardOf(StatementPlan.Cursor plan) {
    Entry known = find(plan.name());
    return known == null || known.shard() < 0 ? ShardChoice.SEVERAL : known.shard();
  }

  /** A statement on a cursor goes to that shard. */
  void passedOn(StatementPlan.Cursor plan, int shard) {
    if (!(plan instanceof StatementPlan.DeclareCursor declare)) {
      return;
    }
    put(declare.name(), new Entry(shard, null, session.transaction().number(), declare.hold()));
    if (declare.hold()) {
      session.pin(session.links().held(shard));
    }
  }

  /** One over several shards. */
  void keep(String name, ScatterCursor cursor) {
    put(name, new Entry(-1, cursor, session.transaction().number(), false));
  }

  private void put(String name, Entry entry) {
    if (byName == null) {
      byName = new HashMap<>(4);
    }
    Set<String> over = new HashSet<>(byName.keySet());
    over.removeIf(each -> find(each) != null);
    byName.keySet().removeAll(over);
    byName.put(name, entry);
  }

  /** Refuses a name that is taken. */
  void requireNew(String name) {
    if (find(name) != null) {
      throw new StatementException(
          SqlState.DUPLICATE_CURSOR, "cursor \"" + name + "\" already exists");
    }
  }

  /** One over several shards. */
  ScatterCursor scatter(String name) {
    Entry entry = find(name);
    ScatterCursor cursor = entry == null ? null : entry.scatter();
    if (cursor == null) {
      throw new StatementException(
          SqlState.INVALID_CURSOR_NAME, "cursor \"" + name + "\" does not exist");
    }
    return cursor;
  }

  /** CLOSE of one over several shards. */
  void close(String name) {
    scatter(name).close();
    forget(name);
  }

  /** It is closed. */
  void forget(String name) {
    if (byName != null) {
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
    Map<String, Entry> all = byName;
    if (all == null) {
      return shards;
    }
    for (String name : all.keySet()) {
      Entry entry = find(name);
      ScatterCursor scatter = entry == null ? null : entry.scatter();
      if (scatter != null) {
        scatter.close();
      } else if (entry != null) {
        shards.add(entry.shard());
      }
    }
    byName = null;
    return shards;
  }
}
