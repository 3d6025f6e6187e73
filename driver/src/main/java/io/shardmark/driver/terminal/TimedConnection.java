package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.measure.StatementTimes;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a connection and times what its prepared statements execute, and commits and rollbacks. A
 * proxy of the platform, since only runs that ask for statement times have one: some fifty
 * nanoseconds for each call of JDBC, compared with tens of microseconds for each answer. Used by
 * one thread at a time.
 */
final class TimedConnection implements InvocationHandler {
  private static final int NO_TYPE = -1;

  private final Connection connection;
  private final StatementTimes times;
  private final Map<String, TimedText> ends = new HashMap<>();
  private int typeIndex = NO_TYPE;

  private TimedConnection(Connection connection, StatementTimes times) {
    this.connection = connection;
    this.times = times;
  }

  /** Prepares the workload's statements on a connection, so that each is timed. */
  static TransactionExecutor open(
      PooledSessions.Executors prepare, Connection physical, StatementTimes times)
      throws SQLException {
    TimedConnection timed = new TimedConnection(physical, times);
    TransactionExecutor executor = prepare.on(proxy(Connection.class, timed));
    return transaction -> {
      timed.typeIndex = transaction.type().index();
      return executor.execute(transaction);
    };
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            TimedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "prepareStatement" -> prepared(PreparedStatement.class, method, arguments);
      case "prepareCall" -> prepared(CallableStatement.class, method, arguments);
      case "commit", "rollback" ->
          ends.computeIfAbsent(method.getName().toUpperCase(Locale.ROOT), TimedText::new)
              .time(connection, method, arguments);
      default -> call(connection, method, arguments);
    };
  }

  private Object prepared(
      Class<? extends PreparedStatement> type, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object statement = call(connection, method, arguments);
    TimedText text = new TimedText(arguments == null ? "" : String.valueOf(arguments[0]));
    return proxy(
        type,
        (self, called, values) ->
            called.getName().startsWith("execute")
                ? text.time(statement, called, values)
                : call(statement, called, values));
  }

  private static @Nullable Object call(
      @Nullable Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /** A statement of this connection, with its times by the type that executes it. */
  private final class TimedText {
    private final String text;
    private final Map<Integer, StatementTimes.Timer> timers = new HashMap<>();

    TimedText(String text) {
      this.text = text;
    }

    @Nullable Object time(@Nullable Object target, Method method, Object @Nullable [] arguments)
        throws Throwable {
      long start = System.nanoTime();
      try {
        return call(target, method, arguments);
      } finally {
        if (typeIndex != NO_TYPE) {
          timers
              .computeIfAbsent(typeIndex, type -> times.timer(type, text))
              .record(start, System.nanoTime());
        }
      }
    }
  }
}
