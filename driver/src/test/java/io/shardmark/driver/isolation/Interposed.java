package io.shardmark.driver.isolation;

import io.shardmark.sql.jdbc.InterceptedConnection;
import java.sql.Connection;
import java.sql.SQLException;

/** A connection before whose commit something else is done. */
record Interposed(Connection target, Before before) {
  /** What is done. */
  @FunctionalInterface
  interface Before {
    void run() throws SQLException;
  }

  Connection connection() {
    return InterceptedConnection.of(
        target,
        (method, arguments, call) -> {
          if (method.equals("commit")) {
            before.run();
          }
          return call.make();
        },
        text -> (method, arguments, call) -> call.make());
  }
}
