package io.shardmark.proxy.routing;

import io.shardmark.proxy.sql.TableLookup;
import io.shardmark.proxy.sql.Token;
import java.util.List;

/**
 * Plans what is neither a query nor the session's business: CREATE, ALTER, DROP, TRUNCATE, COMMENT,
 * GRANT, VACUUM, ANALYZE, REINDEX, CLUSTER and the like, and {@code SELECT setval(...)}. Pure; for
 * several threads.
 */
@FunctionalInterface
public interface DdlPlanner {
  /**
   * The plan of one statement.
   *
   * @param sql without a semicolon at its end
   * @param tokens of {@code sql}, without comments
   * @param tables the cluster at the time of planning
   */
  StatementPlan plan(String sql, List<Token> tokens, TableLookup tables);
}
