package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches one shard over a connection that it keeps: its lock waits, and what other proxies say of
 * their transactions. That is said with NOTIFY, which leaves nothing on the server, neither when
 * its sender dies nor when nobody listens, and takes no keys that users' advisory locks could have.
 * Belongs to one thread at a time.
 */
final class ShardMonitor {
  private static final String CHANNEL = "shardmark_deadlock";

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
            new Seen(
                WaitQuery.read(open, shard, atLeast),
                listening ? ShardSql.heard(open, CHANNEL, -1) : List.of()));
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
          ShardSql.say(open, CHANNEL, messages);
          return messages.size();
        });
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
    ShardSql.close(connection);
    connection = null;
    listening = false;
  }
}
