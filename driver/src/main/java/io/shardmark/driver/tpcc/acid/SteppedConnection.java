package io.shardmark.driver.tpcc.acid;

import static java.util.Objects.requireNonNull;

import io.shardmark.sql.jdbc.InterceptedConnection;
import io.shardmark.sql.jdbc.InterceptedConnection.Interceptor;
import io.shardmark.sql.jdbc.InterceptedConnection.JdbcCall;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose transactions stop at a {@link Breakpoint}, and which keeps what the tests ask
 * for: the key of the order that was inserted, and what a query gave at each of its executions.
 * Used by one thread at a time.
 */
final class SteppedConnection {
  private static final String INSERT_ORDER = "INSERT INTO bmsql_oorder ";

  private final Connection connection;
  private final List<List<Object>> reads = new ArrayList<>();
  private final Map<Integer, Object> orderKey = new TreeMap<>();
  private Breakpoint breakpoint = Breakpoint.beforeCommit();

  SteppedConnection(Connection connection) {
    this.connection = connection;
  }

  /** To prepare a profile's statements on. */
  Connection proxy() {
    return InterceptedConnection.of(
        connection, (method, arguments, call) -> ofConnection(method, call), this::ofStatement);
  }

  /** Before a transaction begins: where it is to stop. What the one before read is forgotten. */
  void stopAt(Breakpoint next) {
    breakpoint = next;
    reads.clear();
    orderKey.clear();
  }

  /**
   * The transaction that has begun, if it has not ended, goes on no further than its breakpoint.
   */
  void abandon() {
    breakpoint.resume(Breakpoint.Resume.ABANDON);
  }

  /** The first column of each execution of the query at the breakpoint. */
  List<List<Object>> reads() {
    return reads;
  }

  /** o_id, o_d_id, o_w_id of the order that the last transaction inserted; empty without one. */
  List<Integer> orderKey() {
    return orderKey.values().stream().map(value -> ((Number) value).intValue()).limit(3).toList();
  }

  private @Nullable Object ofConnection(String method, JdbcCall call) throws Throwable {
    if (method.equals("commit")
        && breakpoint.isAtCommit()
        && breakpoint.await() == Breakpoint.Resume.ROLL_BACK) {
      connection.rollback();
      return null;
    }
    return call.make();
  }

  private Interceptor ofStatement(String text) {
    return (method, arguments, call) -> {
      if (method.startsWith("set") && text.startsWith(INSERT_ORDER)) {
        orderKey.put((Integer) arguments[0], arguments[1]);
      }
      if (method.equals("executeQuery") && breakpoint.isAt(text)) {
        boolean after = breakpoint.side() == Breakpoint.BreakpointSide.AFTER;
        if (after) {
          read(call);
        }
        breakpoint.await();
        if (after) {
          read(call);
        }
      }
      return call.make();
    };
  }

  private void read(JdbcCall query) throws Throwable {
    List<Object> column = new ArrayList<>();
    try (ResultSet rows = (ResultSet) requireNonNull(query.make())) {
      while (rows.next()) {
        column.add(rows.getObject(1));
      }
    }
    reads.add(column);
  }
}
