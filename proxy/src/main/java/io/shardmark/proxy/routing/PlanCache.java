package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;

/** Plans by statement text. */
public final class PlanCache {
  private volatile Planner planner;
  private final DdlPlanner ddl;

  /**
   * @param ddl plans what is no query
   */
  public PlanCache(ShardMap map, DdlPlanner ddl) {
    this.ddl = ddl;
    this.planner = new Planner(map, ddl);
  }

  /** Plans for another shard map from now on. */
  public void use(ShardMap map) {
    planner = new Planner(map, ddl);
  }

  /**
   * A statement of the extended protocol; its parameters are {@code $1} and so on.
   *
   * @param searchPath schemas in which unqualified names are looked up, without pg_catalog
   */
  public PlannedStatement planParse(String text, List<String> searchPath) {
    return planner.plan(text, searchPath);
  }

  /** One statement of a simple Query, as {@link StatementSplitter} gave it. */
  public SimpleStatement planSimple(String statement, List<String> searchPath) {
    return new SimpleStatement(planner.plan(statement, searchPath), NoParameters.INSTANCE);
  }
}
