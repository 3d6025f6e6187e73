package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Planner.Planned;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Plans by statement text for one shard map, for all threads. After its first use a statement costs
 * no parse and no lock, in the simple protocol also if its literals differ each time. Bounded.
 */
public final class MapPlans {
  private static final int GENERATION_SIZE = 4096;

  /** Sessions with still other search paths are planned without a cache. */
  private static final int MAX_SEARCH_PATHS = 64;

  private final Planner planner;
  private final LongAdder made;
  private final ConcurrentHashMap<List<String>, ByText> bySearchPath = new ConcurrentHashMap<>();

  MapPlans(Planner planner, LongAdder made) {
    this.planner = planner;
    this.made = made;
  }

  /** What all plans here are made for. */
  public ShardMap map() {
    return planner.map();
  }

  /**
   * A statement of the extended protocol; its parameters are {@code $1} and so on.
   *
   * @param searchPath schemas in which unqualified names are looked up, without pg_catalog
   */
  public PlannedStatement planParse(String text, List<String> searchPath) {
    return of(searchPath).exact(text);
  }

  /**
   * One statement of a simple Query, as {@link StatementSplitter} gave it.
   *
   * @param searchPath schemas in which unqualified names are looked up, without pg_catalog
   */
  public SimpleStatement planSimple(String statement, List<String> searchPath) {
    return of(searchPath).simple(statement);
  }

  private ByText of(List<String> searchPath) {
    ByText plans = bySearchPath.get(searchPath);
    if (plans != null) {
      return plans;
    }
    if (bySearchPath.size() >= MAX_SEARCH_PATHS) {
      return new ByText(searchPath);
    }
    return bySearchPath.computeIfAbsent(List.copyOf(searchPath), ByText::new);
  }

  /** The plans for one search path. */
  final class ByText {
    private final List<String> searchPath;
    private final RecentMap<PlannedStatement> texts = new RecentMap<>(GENERATION_SIZE);
    private final RecentMap<Planned> shapes = new RecentMap<>(GENERATION_SIZE);

    ByText(List<String> searchPath) {
      this.searchPath = searchPath;
    }

    PlannedStatement exact(String text) {
      return texts.get(
          text,
          () -> {
            made.increment();
            return planner.plan(text, searchPath);
          });
    }

    SimpleStatement simple(String statement) {
      StatementShape shape = StatementShape.of(statement);
      if (shape != null) {
        Planned planned =
            shapes.get(
                shape.shape(),
                () -> {
                  made.increment();
                  return planner.planShape(statement, searchPath);
                });
        if (!planned.forThisTextOnly()) {
          PlannedStatement first = planned.statement();
          return new SimpleStatement(
              new PlannedStatement(statement, first.tag(), first.plan()), shape, this);
        }
      }
      return new SimpleStatement(exact(statement), NoParameters.INSTANCE, null);
    }
  }
}
