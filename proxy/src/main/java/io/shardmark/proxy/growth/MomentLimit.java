package io.shardmark.proxy.growth;

import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shards.ShardSql;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * When clients are to go on, whatever is under way. Immutable.
 *
 * @param untilNanos of System.nanoTime()
 */
record MomentLimit(long untilNanos) {
  /** Who calls one of these is about to execute a statement. */
  private static final Set<String> BEFORE_STATEMENTS =
      Set.of("createStatement", "prepareStatement", "unwrap");

  long leftMillis() {
    return TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
  }

  /**
   * The connection, with each statement limited to the time that is left: it waits no longer for
   * locks either. The limits end with the transaction, which is open.
   */
  Connection of(Connection each) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (BEFORE_STATEMENTS.contains(method.getName())) {
                limit(each);
              }
              try {
                return method.invoke(each, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  private void limit(Connection each) throws SQLException {
    long left = leftMillis();
    if (left <= 0) { // 0 would be no limit
      throw new SQLException("the time is over", SqlState.QUERY_CANCELED.code());
    }
    ShardSql.execute(
        each, "SET LOCAL statement_timeout = %1$d; SET LOCAL lock_timeout = %1$d".formatted(left));
  }
}
