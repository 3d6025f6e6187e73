package io.shardmark.driver.tpcc.acid;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
final class SteppedConnection implements InvocationHandler {
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
    return proxy(Connection.class, this);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            SteppedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
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

  @Override
  public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("commit") && breakpoint.isAtCommit()) {
      if (breakpoint.await() == Breakpoint.Resume.ROLL_BACK) {
        connection.rollback();
        return null;
      }
    }
    Object result = call(connection, method, arguments);
    return result instanceof PreparedStatement statement && arguments != null
        ? statement(statement, String.valueOf(arguments[0]))
        : result;
  }

  private PreparedStatement statement(PreparedStatement statement, String text) {
    return proxy(
        PreparedStatement.class,
        (self, method, arguments) -> {
          if (method.getName().startsWith("set")
              && arguments != null
              && text.startsWith(INSERT_ORDER)) {
            orderKey.put((Integer) arguments[0], arguments[1]);
          }
          return method.getName().equals("executeQuery")
              ? query(statement, text)
              : call(statement, method, arguments);
        });
  }

  private ResultSet query(PreparedStatement statement, String text) throws SQLException {
    if (breakpoint.isAt(text)) {
      if (breakpoint.side() == Breakpoint.BreakpointSide.AFTER) {
        read(statement);
      }
      breakpoint.await();
      if (breakpoint.side() == Breakpoint.BreakpointSide.AFTER) {
        read(statement);
      }
    }
    return statement.executeQuery();
  }

  private void read(PreparedStatement statement) throws SQLException {
    List<Object> column = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        column.add(rows.getObject(1));
      }
    }
    reads.add(column);
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
