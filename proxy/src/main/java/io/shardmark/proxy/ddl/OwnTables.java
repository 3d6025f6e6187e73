package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.ExecutionPlanner;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.StatementTexts;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.routing.ChangedTables;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.sql.SqlLexer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables as the client's open transaction has made or changed them. Nobody else sees them
 * before COMMIT: their plans are kept here, apart from the cache that all clients share, and are
 * thrown away with the transaction. They are read from the transaction's own servers when a
 * statement needs them, not at each change.
 */
public final class OwnTables {
  /** What the first words of a statement name that sessions do not begin with. */
  private static final Set<String> OF_TABLES =
      Set.of("table", "view", "index", "sequence", "trigger", "rule", "type", "domain", "function");

  private static final int FIRST_WORDS = 5;

  private final Transaction transaction;
  private final ExecutionPlanner shared;
  private final StatementTexts texts;
  private final int shardCount;
  private final ChangedTables names = new ChangedTables();

  /** Those of the whole transaction, also if they have been read since. */
  private final ChangedTables all = new ChangedTables();

  /** What the transaction has changed of that which the shard map is read from. */
  private enum Changed {
    NOTHING,
    TABLES,
    /** Also what sessions begin with, perhaps: roles, or what is set for them. */
    SESSION_STARTS
  }

  /** What has changed since the tables were read; each says more than those before it. */
  private enum Stale {
    NOTHING,
    /** Tables whose names are known. */
    NAMED,
    /** Also something that is on some shards only. */
    SPREAD,
    /** Tables whose names are not known. */
    ANY
  }

  private Changed changed = Changed.NOTHING;

  /** It may have changed others too, which the texts of its statements do not name. */
  private boolean unnamed;

  /** Version of the tables since they were changed last. */
  private long version;

  private Stale stale = Stale.NOTHING;

  /** Of the map that all clients share, when they were read. */
  private long sharedVersion;

  private @Nullable ExecutionPlanner planner;

  /**
   * @param shared plans of the tables that all clients see
   * @param texts gives the tables of each change a version
   */
  public OwnTables(
      Transaction transaction, ExecutionPlanner shared, StatementTexts texts, int shardCount) {
    this.transaction = transaction;
    this.shared = shared;
    this.texts = texts;
    this.shardCount = shardCount;
  }

  /** Whether the transaction has changed what the shard map is read from. */
  public boolean isChanged() {
    return changed != Changed.NOTHING;
  }

  /** Takes note of a statement that was executed. */
  public void change(PlannedStatement statement, StatementPlan.Ddl ddl) {
    String sql = statement.sql();
    boolean ofTables =
        SqlLexer.tokens(sql).stream()
            .limit(FIRST_WORDS)
            .anyMatch(token -> OF_TABLES.stream().anyMatch(token::isWord));
    if (changed != Changed.SESSION_STARTS) {
      changed = ofTables ? Changed.TABLES : Changed.SESSION_STARTS;
    }
    version = texts.ownTables();
    becomeStale(ddl.statements().stream().allMatch(sql::equals) ? Stale.NAMED : Stale.SPREAD);
    all.note(ddl.changed());
    names.note(ddl.changed());
    if (ddl.changesOthers()) {
      unnamed = true;
      becomeStale(Stale.ANY);
    }
  }

  private void becomeStale(Stale now) {
    stale = stale.compareTo(now) < 0 ? now : stale;
  }

  /** What was changed since a savepoint has been undone. */
  public void rolledBackToSavepoint() {
    if (isChanged()) {
      becomeStale(Stale.ANY);
    }
    version = texts.ownTables();
  }

  /** The transaction is over: what it made is everybody's, or nobody's. */
  public void over(boolean committed) {
    changed = committed ? changed : Changed.NOTHING;
    forget();
  }

  /**
   * Whether the next statement can be planned before the catalogs have been read: with one shard it
   * goes there, whatever the tables are.
   */
  boolean isReadLater() {
    return shardCount == 1 && changed != Changed.SESSION_STARTS;
  }

  /** The shared map shows what was committed. */
  public void published() {
    changed = Changed.NOTHING;
    forget();
  }

  private void forget() {
    fresh();
    all.clear();
    unnamed = false;
    planner = null;
  }

  /** Version of the tables that a statement is prepared with now. */
  public long version() {
    return isChanged() ? version : shared.version() + texts.outdatedCount();
  }

  /**
   * What statements are planned with at one moment.
   *
   * @param own version of the transaction's own tables, 0 if it has none
   */
  public record View(long own, ShardMap map) {}

  public View view() {
    return new View(isChanged() ? version : 0, planner().map());
  }

  /** Whether a statement that was planned then may be planned otherwise now. */
  public boolean haveChangedSince(View then, String sql) {
    View now = view();
    return now.own() != then.own() || ChangedTables.concern(sql, then.map(), now.map());
  }

  /** The current plans: of the transaction's own tables if it has any. */
  public ExecutionPlanner planner() {
    ExecutionPlanner own = planner;
    return own == null ? shared : own;
  }

  /** The plan of a prepared statement. */
  public PlannedStatement planned(StatementText text, List<String> searchPath) {
    ExecutionPlanner own = planner;
    return own == null ? text.planned(shared, searchPath) : own.extended(text.sql(), searchPath);
  }

  /** Names, without schema, of the tables that the transaction may have moved. */
  public Set<String> moved() {
    return isChanged() && shardCount > 1 ? all.names() : Set.of();
  }

  /** Whether {@link #moved} is known only when the catalogs have been read anew. */
  public boolean mustReadForMoved() {
    return isChanged() && shardCount > 1 && unnamed && isStale();
  }

  /** Whether a statement cannot be planned before the catalogs have been read anew. */
  public boolean mustRead(PlannedStatement statement) {
    if (!isChanged() || shardCount == 1 || transaction.isFailed() || !isStale()) {
      return false;
    }
    StatementPlan plan = statement.plan();
    if (plan instanceof StatementPlan.Ddl ddl) {
      return mustRead(ddl, statement.sql());
    }
    return plan.usesTables();
  }

  /** What is on all shards by now is taken for such also if it is not known. */
  private boolean mustRead(StatementPlan.Ddl ddl, String sql) {
    return switch (ddl.unknown()) {
      case DEFINITION -> true;
      case PLACE -> stale != Stale.NAMED;
      case NOTHING ->
          stale == Stale.ANY
              || stale == Stale.NOTHING // then others have changed something
              || names.in(sql) != null;
    };
  }

  /** Also if others have committed changes meanwhile. */
  private boolean isStale() {
    return stale != Stale.NOTHING || (planner != null && sharedVersion != shared.version());
  }

  private void fresh() {
    stale = Stale.NOTHING;
    names.clear();
  }

  /** They have been read. */
  public void read(ShardMap map) {
    fresh();
    sharedVersion = shared.version();
    planner = shared.over(map);
    if (unnamed) {
      all.noteDifferences(shared.map(), map);
    }
  }
}
