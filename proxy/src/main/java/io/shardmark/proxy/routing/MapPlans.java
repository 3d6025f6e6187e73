package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Planner.Planned;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.sql.StatementSplitter;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

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
  private final ConcurrentHashMap<List<String>, PlansByText> bySearchPath =
      new ConcurrentHashMap<>();

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
   * The statements of a Query message, in order; none if it is empty.
   *
   * @param searchPath schemas in which unqualified names are looked up, without pg_catalog
   */
  public List<SimpleStatement> planSimple(String text, List<String> searchPath) {
    PlansByText plans = of(searchPath);
    SimpleStatement only = plans.byShape(text);
    if (only != null) {
      return List.of(only);
    }
    List<String> statements = StatementSplitter.split(text);
    return statements.size() == 1
        ? List.of(plans.exactly(statements.get(0)))
        : statements.stream().map(plans::simple).toList();
  }

  private PlansByText of(List<String> searchPath) {
    PlansByText plans = bySearchPath.get(searchPath);
    if (plans != null) {
      return plans;
    }
    if (bySearchPath.size() >= MAX_SEARCH_PATHS) {
      return new PlansByText(searchPath);
    }
    return bySearchPath.computeIfAbsent(List.copyOf(searchPath), PlansByText::new);
  }

  /** The plans for one search path. */
  final class PlansByText {
    private final List<String> searchPath;
    private final RecentMap<PlannedStatement> texts = new RecentMap<>(GENERATION_SIZE);
    private final RecentMap<Planned> shapes = new RecentMap<>(GENERATION_SIZE);

    PlansByText(List<String> searchPath) {
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

    /** The only statement of a text; null if it takes more than a plan for all literals. */
    @Nullable SimpleStatement byShape(String text) {
      StatementShape shape = StatementShape.of(text);
      if (shape == null) {
        return null;
      }
      String statement = shape.sql();
      Planned planned =
          shapes.get(
              shape.shape(),
              () -> {
                made.increment();
                return planner.planShape(statement, searchPath);
              });
      if (planned.forThisTextOnly()) {
        return exactly(statement);
      }
      PlannedStatement first = planned.statement();
      return new SimpleStatement(
          new PlannedStatement(statement, first.tag(), first.plan(), false, first.missed()),
          shape,
          this);
    }

    SimpleStatement simple(String statement) {
      SimpleStatement planned = byShape(statement);
      return planned != null ? planned : exactly(statement);
    }

    SimpleStatement exactly(String statement) {
      return new SimpleStatement(exact(statement), NoParameters.INSTANCE, null);
    }
  }
}
