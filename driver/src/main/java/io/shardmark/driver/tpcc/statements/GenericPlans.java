package io.shardmark.driver.tpcc.statements;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Lets PostgreSQL plan each of a session's statements once. */
final class GenericPlans {
  private GenericPlans() {}

  /**
   * For the rest of the session. With arrays and ranges as parameters the planner's guess for a
   * custom plan looks better than the generic one, so it would plan anew at every execution; the
   * generic plan is the same plan.
   *
   * @param connection no transaction is open on it, before and after
   */
  static void choose(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
    }
    connection.commit();
  }
}
