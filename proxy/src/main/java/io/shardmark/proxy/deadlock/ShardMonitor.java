package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Watches one shard over a connection that it keeps: its lock waits, and what other proxies say of
 * their transactions. That is said with NOTIFY, which leaves nothing on the server, neither when
 * its sender dies nor when nobody listens, and takes no keys that users' advisory locks could have.
 * Belongs to one thread at a time.
 */
final class ShardMonitor {
  private static final String CHANNEL = "shardmark_deadlock";

  /**
   * Anybody may send on any channel. Sessions of the proxy's own role could cancel whatever is
   * cancelled on their word (PG18 §9.28.2 functions-admin-signal), so only they are believed.
   */
  private static final String OWN_ROLE =
      "SELECT pid FROM pg_stat_activity"
          + " WHERE usesysid = (SELECT oid FROM pg_roles WHERE rolname = session_user)";

  private final int shard;
  private final ShardAccess access;
  private volatile @Nullable Connection connection;
  private boolean listening;

  ShardMonitor(int shard, ShardAccess access) {
    this.shard = shard;
    this.access = access;
  }

  String shardName() {
    return access.name();
  }

  /**
   * @param heard what has been said since the last look, this proxy's own words included
   */
  record Seen(List<LockWait> waits, List<String> heard) {}

  /** Looks at the waits that are not known to be shorter, and hears. */
  Seen look(Duration atLeast) throws SQLException {
    return ask(
        open ->
            new Seen(WaitQuery.read(open, shard, atLeast), listening ? heard(open) : List.of()));
  }

  /** Listens to other proxies from now on, or no more; gives the same back. */
  boolean listen(boolean wanted) throws SQLException {
    if (wanted != listening) {
      ask(
          open -> {
            ShardSql.execute(open, (wanted ? "LISTEN " : "UNLISTEN ") + CHANNEL);
            listening = wanted;
            return wanted;
          });
    }
    return wanted;
  }

  /** Tells all proxies that listen; gives back how much. */
  int say(List<String> messages) throws SQLException {
    return ask(
        open -> {
          ShardSql.execute(
              open, "SELECT pg_notify(?, said) FROM unnest(?) said", CHANNEL, messages);
          return messages.size();
        });
  }

  private static List<String> heard(Connection open) throws SQLException {
    PGNotification[] received = open.unwrap(PGConnection.class).getNotifications();
    List<String> messages = new ArrayList<>();
    if (received != null && received.length > 0) {
      List<Integer> believed = ShardSql.rows(open, OWN_ROLE, row -> row.getInt(1));
      for (PGNotification one : received) {
        if (one.getName().equals(CHANNEL) && believed.contains(one.getPID())) {
          messages.add(one.getParameter());
        }
      }
    }
    return messages;
  }

  private interface Question<T> {
    T of(Connection open) throws SQLException;
  }

  private <T> T ask(Question<T> question) throws SQLException {
    try {
      Connection open = connection;
      if (open == null) {
        open = access.open();
        connection = open;
      }
      return question.of(open);
    } catch (SQLException e) {
      close();
      throw e;
    }
  }

  /** Ends whatever goes on. Any thread. */
  void abort() {
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException e) {
        // It was broken already.
      }
    }
  }

  private void close() {
    Connection open = connection;
    connection = null;
    listening = false;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // It was broken already; the next look opens another.
      }
    }
  }
}
