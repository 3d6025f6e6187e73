package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Operands.LiteralUse;
import io.shardmark.proxy.routing.Planner.Planned;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Plans by statement text, for all threads. After its first use a statement costs no parse and no
 * lock, in the simple protocol also if its literals differ each time. Bounded; a new shard map
 * starts it empty.
 */
public final class PlanCache {
  private static final int GENERATION_SIZE = 4096;

  /** Sessions with still other search paths are planned without a cache. */
  private static final int MAX_SEARCH_PATHS = 64;

  private final DdlPlanner ddl;
  private final LongAdder made;
  private volatile Version version;

  /** All that belongs to one shard map. */
  private record Version(
      Planner planner, LongAdder made, ConcurrentHashMap<List<String>, ByText> bySearchPath) {
    ByText of(List<String> searchPath) {
      ByText plans = bySearchPath.get(searchPath);
      if (plans != null) {
        return plans;
      }
      if (bySearchPath.size() >= MAX_SEARCH_PATHS) {
        return new ByText(planner, made, searchPath);
      }
      List<String> key = List.copyOf(searchPath);
      return bySearchPath.computeIfAbsent(key, path -> new ByText(planner, made, path));
    }
  }

  /**
   * @param ddl plans what is neither a query nor the session's business
   */
  public PlanCache(ShardMap map, DdlPlanner ddl) {
    this(map, ddl, new LongAdder());
  }

  private PlanCache(ShardMap map, DdlPlanner ddl, LongAdder made) {
    this.ddl = ddl;
    this.made = made;
    this.version = new Version(new Planner(map, ddl), made, new ConcurrentHashMap<>());
  }

  /** An empty cache for another map, whose plans are counted with these. */
  public PlanCache over(ShardMap map) {
    return new PlanCache(map, ddl, made);
  }

  /** Plans for another shard map from now on. */
  public void use(ShardMap map) {
    version = new Version(new Planner(map, ddl), made, new ConcurrentHashMap<>());
  }

  /** How many plans have been made because there was none yet. */
  public long madeCount() {
    return made.sum();
  }

  /** The shard map that plans are made for; resolve their targets with it. */
  public ShardMap shardMap() {
    return version.planner().map();
  }

  /**
   * A statement of the extended protocol; its parameters are {@code $1} and so on.
   *
   * @param searchPath schemas in which unqualified names are looked up, without pg_catalog
   */
  public PlannedStatement planParse(String text, List<String> searchPath) {
    return version.of(searchPath).exact(text);
  }

  /**
   * One statement of a simple Query, as {@link StatementSplitter} gave it.
   *
   * @param searchPath schemas in which unqualified names are looked up, without pg_catalog
   */
  public SimpleStatement planSimple(String statement, List<String> searchPath) {
    return version.of(searchPath).simple(statement);
  }

  /** The plans for one search path. */
  private static final class ByText {
    private final Planner planner;
    private final LongAdder made;
    private final List<String> searchPath;
    private final RecentMap<PlannedStatement> texts = new RecentMap<>(GENERATION_SIZE);
    private final RecentMap<Planned> shapes = new RecentMap<>(GENERATION_SIZE);

    ByText(Planner planner, LongAdder made, List<String> searchPath) {
      this.planner = planner;
      this.made = made;
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
                  return planner.plan(statement, searchPath, LiteralUse.PARAMETERS);
                });
        if (!planned.forThisTextOnly() && holdsFor(planned.statement().plan(), shape)) {
          PlannedStatement first = planned.statement();
          return new SimpleStatement(
              new PlannedStatement(statement, first.tag(), first.plan()), shape);
        }
      }
      return new SimpleStatement(exact(statement), NoParameters.INSTANCE);
    }

    /** Whether the plan needs nothing of the text it was made from, with these values. */
    private boolean holdsFor(StatementPlan plan, ParameterSource literals) {
      if (!(plan instanceof StatementPlan.Query query)) {
        return false;
      }
      boolean hasText =
          query.spread() instanceof Spread.Merge
              || query.spread() instanceof Spread.Finish
              || query.spread() instanceof Spread.SplitRows;
      if (!(query.target() instanceof Target.Keys)) {
        return !hasText;
      }
      try {
        int shards = ShardResolver.resolve(query.target(), literals, planner.map()).size();
        return shards <= 1 || !hasText;
      } catch (KeyFormatException e) {
        return false; // not a key of that type, which only the exact text can be planned with
      }
    }
  }
}
