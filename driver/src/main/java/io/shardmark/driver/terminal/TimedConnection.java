package io.shardmark.driver.terminal;

import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.measure.StatementTimes;
import io.shardmark.sql.jdbc.InterceptedConnection;
import io.shardmark.sql.jdbc.InterceptedConnection.Interceptor;
import io.shardmark.sql.jdbc.InterceptedConnection.JdbcCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Times what the prepared statements of a connection execute, and commits and rollbacks. Used by
 * one thread at a time.
 */
final class TimedConnection {
  private static final int NO_TYPE = -1;

  private final StatementTimes times;
  private final TimedText commit = new TimedText("COMMIT");
  private final TimedText rollback = new TimedText("ROLLBACK");
  private int typeIndex = NO_TYPE;

  private TimedConnection(StatementTimes times) {
    this.times = times;
  }

  /** Prepares the workload's statements on a connection, so that each is timed. */
  static TransactionExecutor open(
      PooledSessions.Executors prepare, Connection physical, StatementTimes times)
      throws SQLException {
    TimedConnection timed = new TimedConnection(times);
    TransactionExecutor executor =
        prepare.on(
            InterceptedConnection.of(
                physical,
                (method, arguments, call) -> timed.ofConnection(method, call),
                timed::ofStatement));
    return transaction -> {
      timed.typeIndex = transaction.type().index();
      return executor.execute(transaction);
    };
  }

  private @Nullable Object ofConnection(String method, JdbcCall call) throws Throwable {
    return switch (method) {
      case "commit" -> commit.time(call);
      case "rollback" -> rollback.time(call);
      default -> call.make();
    };
  }

  private Interceptor ofStatement(String text) {
    TimedText timed = new TimedText(text);
    return (method, arguments, call) ->
        method.startsWith("execute") ? timed.time(call) : call.make();
  }

  /** A statement of this connection, with its times by the type that executes it. */
  private final class TimedText {
    private final String text;
    private final Map<Integer, StatementTimes.Timer> timers = new HashMap<>();

    TimedText(String text) {
      this.text = text;
    }

    @Nullable Object time(JdbcCall call) throws Throwable {
      long start = System.nanoTime();
      try {
        return call.make();
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
