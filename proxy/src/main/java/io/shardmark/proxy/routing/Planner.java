package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import java.util.Set;

/** Makes the plan of one statement. Pure; for all threads. */
final class Planner {
  private final ShardMap map;
  private final DdlPlanner ddl;

  Planner(ShardMap map, DdlPlanner ddl) {
    this.map = map;
    this.ddl = ddl;
  }

  PlannedStatement plan(String sql, List<String> searchPath) {
    List<Token> tokens = SqlLexer.tokens(sql);
    String first = tokens.isEmpty() ? "" : tokens.get(0).text();
    StatementPlan plan =
        switch (first) {
          case "select", "insert", "update", "delete", "with", "values", "table", "merge" ->
              new StatementPlan.Query(
                  Access.WRITE,
                  new Target.All(),
                  new Spread.Refuse("not yet", "give the route"),
                  Set.of());
          default -> ddl.plan(sql, tokens, map, searchPath);
        };
    return new PlannedStatement(sql, first, plan);
  }
}
