package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.ScatterStrategy.RefuseScatter;
import io.shardmark.proxy.routing.StatementPlan.QueryPlan;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Analysis;
import io.shardmark.proxy.sql.Analysis.Fact;
import io.shardmark.proxy.sql.Analysis.Instance;
import io.shardmark.proxy.sql.Analyzer;
import io.shardmark.proxy.sql.Block;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.ChangeAnalyzer;
import io.shardmark.proxy.sql.ChangeAnalyzer.AnalyzedChange;
import io.shardmark.proxy.sql.Functions.FunctionKind;
import io.shardmark.proxy.sql.KeyExpression;
import io.shardmark.proxy.sql.Operands;
import io.shardmark.proxy.sql.Operands.LiteralUse;
import io.shardmark.proxy.sql.Placement;
import io.shardmark.proxy.sql.Placement.Split;
import io.shardmark.proxy.sql.QueryParser;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.Insert;
import io.shardmark.proxy.sql.Syntax.QuerySyntax;
import io.shardmark.proxy.sql.Syntax.RowsSyntax;
import io.shardmark.proxy.sql.Syntax.Statement;
import io.shardmark.proxy.sql.Syntax.Update;
import io.shardmark.proxy.sql.SyntaxException;
import io.shardmark.proxy.sql.TableLookup;
import io.shardmark.proxy.sql.Target;
import io.shardmark.proxy.sql.TokenRange;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans one SELECT, VALUES, INSERT, UPDATE or DELETE. Used once. */
final class QueryPlanner {
  private final TokenRange tokens;
  private final Operands operands;
  private final Analysis analysis = new Analysis();
  private final Analyzer analyzer;

  /** Whether a call names a sequence whose numbers are dealt to all shards, or may. */
  private boolean callsDealtSequence = true;

  QueryPlanner(TokenRange tokens, TableLookup tables, LiteralUse literals) {
    this.tokens = tokens;
    this.operands = new Operands(tokens, literals);
    this.analyzer = new Analyzer(analysis, tables, operands);
  }

  /**
   * Whether rows of a reference table are changed: then a refusal holds also for one who names a
   * shard, since the other shards' copies would stay as they are.
   */
  boolean changesReference() {
    return analysis.referenceChanged();
  }

  /** Whether no shard has all tables that it names. */
  boolean isNowhere() {
    return analysis.fixedShards().size() > 1;
  }

  /** Whether the plan is good for this text only, not for one with other literals. */
  boolean isForThisTextOnly() {
    return analysis.has(Fact.LITERALS_MATTER) || operands.hasSignedLiteral();
  }

  /**
   * The plan.
   *
   * @throws SyntaxException if the statement is not understood
   */
  QueryPlan plan() {
    QueryParser parser = new QueryParser(tokens);
    Statement statement = parser.statement();
    checkAllRead(parser);
    CallFacts calls = CallFacts.of(tokens, parser.allExpressions(), analyzer.tables()::overload);
    Block block = null;
    AnalyzedChange change = null;
    if (statement instanceof QuerySyntax query) {
      block = analyzer.query(query, null, List.of());
    } else {
      change = new ChangeAnalyzer(analyzer).change(statement, null);
    }
    boolean sequences = // others are those of tables
        (calls.has(FunctionKind.SEQUENCE)
                || calls.has(FunctionKind.SEQUENCE_CHANGE)
                || calls.has(FunctionKind.SEQUENCE_STATE))
            && analysis.instances().isEmpty()
            && !analysis.has(Fact.CHANGES);
    if (sequences) {
      analysis.note(Fact.LITERALS_MATTER); // another name may be that of another shard's sequence
      Set<Integer> shards = OneShardSequences.shards(tokens, analyzer.tables());
      callsDealtSequence = shards.remove(OneShardSequences.OTHER);
      shards.forEach(analysis::addFixedShard);
    }
    Access access = access(calls);
    Set<SessionEffect> effects = effects(calls);
    String refused = refusal(calls);
    if (refused != null) {
      String hint =
          analysis.referenceChanged()
              ? "Read the values first, and give them as constants or parameters."
              : Refusals.BY_HAND;
      int knownOn = analysis.fixedShards().stream().findFirst().orElse(-1);
      return new QueryPlan(
          access, new Target.All(), new RefuseScatter(refused, hint, knownOn), effects);
    }
    if (!analysis.sequences().isEmpty()) {
      return new QueryPlan(
          access, new Target.All(), SequencePlanner.plan(tokens, analysis), effects);
    }
    if (calls.has(FunctionKind.EVERY_SERVER)) {
      return new QueryPlan(access, new Target.All(), new ScatterStrategy.Same(), effects);
    }
    Target target = target(change, calls);
    return new QueryPlan(access, target, strategy(statement, block, change, calls), effects);
  }

  /** A SELECT that was not read could hide a table. */
  private void checkAllRead(QueryParser parser) {
    int found = 0;
    for (int i = 0; i < tokens.size(); i++) {
      boolean label = tokens.word(i - 1, "as");
      if (tokens.word(i, "select") && !label) {
        found++;
      }
    }
    if (found > parser.queryCount()) {
      throw new SyntaxException("a query in an unexpected place");
    }
  }

  private Set<SessionEffect> effects(CallFacts calls) {
    Set<SessionEffect> effects = EnumSet.noneOf(SessionEffect.class);
    boolean outlasts = calls.has(FunctionKind.SESSION) && !setsForTransactionOnly();
    if (calls.has(FunctionKind.SESSION_ADVISORY) || outlasts) {
      effects.add(SessionEffect.PINS_ALWAYS);
    }
    if (calls.has(FunctionKind.SESSION)) {
      effects.add(SessionEffect.MAKES_PARAMETERS);
    }
    if (calls.has(FunctionKind.UNKNOWN) && analyzer.tables().map().schemas().functionsSet()) {
      effects.add(SessionEffect.MAY_SET);
    }
    if (calls.has(FunctionKind.NOTIFICATION)) {
      effects.add(SessionEffect.NOTIFIES);
    }
    if (access(calls) == Access.WRITE && locks(calls)) {
      effects.add(SessionEffect.LOCKS);
    }
    if (calls.has(FunctionKind.SEQUENCE_STATE)) {
      effects.add(SessionEffect.READS_SEQUENCES);
    }
    return effects;
  }

  /** Whether each call of set_config ends with true: what it sets ends with the transaction. */
  private boolean setsForTransactionOnly() {
    int calls = 0;
    for (int i = 0; i < tokens.size(); i++) {
      boolean call = tokens.at(i).isWord("set_config") && tokens.symbol(i + 1, "(");
      if (tokens.at(i).isWord("setseed")
          || (call && !tokens.word(tokens.partner(i + 1) - 1, "true"))) {
        return false;
      }
      calls += call ? 1 : 0;
    }
    return calls > 0;
  }

  private Access access(CallFacts calls) {
    if (analysis.has(Fact.CHANGES)
        || calls.has(FunctionKind.UNKNOWN)
        || calls.has(FunctionKind.NOTIFICATION)) {
      return Access.WRITE;
    }
    if (locks(calls)) {
      return Access.LOCK;
    }
    boolean state =
        calls.has(FunctionKind.SEQUENCE)
            || calls.has(FunctionKind.SEQUENCE_CHANGE)
            || calls.has(FunctionKind.EVERY_SERVER)
            || calls.has(FunctionKind.SESSION_ADVISORY)
            || calls.has(FunctionKind.SEQUENCE_STATE)
            || calls.has(FunctionKind.SESSION);
    return state ? Access.STATE : Access.READ;
  }

  /** Whether it takes locks that end with the transaction. */
  private boolean locks(CallFacts calls) {
    return analysis.has(Fact.LOCKS) || calls.has(FunctionKind.ADVISORY);
  }

  private @Nullable String refusal(CallFacts calls) {
    if (analysis.unroutable() != null) {
      return analysis.unroutable();
    }
    if (calls.session() != null) {
      return calls.session()
          + "() acts on one server connection, and the next statement may use another one";
    }
    if (calls.has(FunctionKind.SEQUENCE_CHANGE) && callsDealtSequence) {
      return "this call of setval() would set the sequence on one shard only";
    }
    if (!analysis.sequences().isEmpty() && !SequencePlanner.isAlone(analysis)) {
      String sequence = tokens.text(analysis.sequences().get(0));
      return "sequence " + sequence + " is read together with a table, or changed";
    }
    if (analysis.fixedShards().size() > 1) {
      return "the tables it names are on different shards";
    }
    if (calls.has(FunctionKind.EVERY_SERVER) && namesTables()) {
      return "a function that acts on every server is used with tables";
    }
    boolean shardedTables = !analysis.instances().isEmpty() || !analysis.fixedShards().isEmpty();
    if (analysis.referenceChanged() && shardedTables) {
      return "a table that is on every shard would be changed by rows of some shards";
    }
    if (!shardedTables && calls.unknown() != null) {
      return "what function " + calls.unknown() + "() reads or writes is not known";
    }
    return null;
  }

  private boolean namesTables() {
    return !analysis.instances().isEmpty()
        || !analysis.fixedShards().isEmpty()
        || analysis.referenceUsed()
        || analysis.referenceChanged()
        || analysis.has(Fact.CATALOG);
  }

  private Target target(@Nullable AnalyzedChange change, CallFacts calls) {
    if (!analysis.fixedShards().isEmpty() && analysis.instances().isEmpty()) {
      return new Target.Fixed(analysis.fixedShards().iterator().next());
    }
    if (analysis.instances().isEmpty()) {
      if (change != null || analysis.has(Fact.CHANGES)) {
        return new Target.All();
      }
      boolean sameForAll =
          calls.has(FunctionKind.ADVISORY)
              || calls.has(FunctionKind.NOTIFICATION)
              || calls.has(FunctionKind.SESSION_ADVISORY)
              || (analysis.has(Fact.LOCKS) && analysis.referenceUsed());
      if (sameForAll) {
        return new Target.Fixed(0);
      }
      boolean catalog = analysis.has(Fact.CATALOG) || calls.looksAtCatalog();
      return catalog ? new Target.First() : new Target.Any();
    }
    List<Target.KeySet> sets = new ArrayList<>();
    for (Instance instance : analysis.instances()) {
      List<KeyExpression> keys = keys(instance);
      if (keys == null) {
        return new Target.All();
      }
      Target.KeySet set = new Target.KeySet(instance.sharding(), keys, instance.use());
      if (!sets.contains(set)) {
        sets.add(set);
      }
    }
    return new Target.Keys(sets);
  }

  /** The shortest of the lists of keys; null if there is none. */
  private @Nullable List<KeyExpression> keys(Instance instance) {
    List<KeyExpression> best = null;
    for (List<KeyExpression> keys : instance.key().allPins()) {
      boolean shorter = best == null || weight(keys) < weight(best);
      if (shorter && operands.haveCertainTypes(keys)) {
        best = keys;
      }
    }
    return best;
  }

  private static int weight(List<KeyExpression> keys) {
    int weight = 2 * keys.size();
    for (KeyExpression key : keys) {
      weight += key instanceof KeyExpression.ArrayParameter ? 1 : 0;
    }
    return weight;
  }

  /** Reference tables only, or none. */
  private ScatterStrategy strategyWithoutKeys(
      Statement statement, @Nullable AnalyzedChange changed, CallFacts calls) {
    if (changed == null && !analysis.has(Fact.CHANGES)) {
      return new ScatterStrategy.Sum(); // goes to one shard
    }
    analysis.note(Fact.LITERALS_MATTER); // 'now' is a time
    String different = different(statement, calls);
    List<TableName> locked = locked(statement);
    if (different == null && analysis.reaction() == null) {
      return new ScatterStrategy.Same(locked);
    }
    ReplayedChange change =
        analysis.reaction() == null
                && changed != null
                && changed.table() != null
                && changed.table().sharding() instanceof Sharding.Reference
            ? new ReplayPlanner(tokens, changed.table()).plan(statement)
            : null;
    return change == null
        ? new RefuseScatter(
            "the table is on every shard, and "
                + (analysis.reaction() == null ? different : analysis.reaction())
                + " may differ between them",
            "Compute the value first and give it as a constant or parameter; declare the function"
                + " of a trigger IMMUTABLE if it does the same on every shard.")
        : new ScatterStrategy.Replay(change, locked);
  }

  /** What each shard could compute differently, or null. */
  private @Nullable String different(Statement statement, CallFacts calls) {
    if (calls.different() != null || analysis.differing() != null) {
      return calls.different() == null ? analysis.differing() : calls.different();
    }
    if (CallFacts.hasDistinctOn(tokens)) {
      return "which rows DISTINCT ON leaves";
    }
    if (statement instanceof Update update && !update.from().isEmpty()) {
      return "which of several rows in FROM changes a row";
    }
    if (statement instanceof Insert insert
        && insert.source() != null
        && !(insert.source().body() instanceof RowsSyntax)
        && tokens.hasWord(insert.rest(), "conflict")) {
      return "which of several rows meets ON CONFLICT first";
    }
    if (calls.has(FunctionKind.AGGREGATE)) {
      return "an aggregate of floats, which depends on the order of the rows,";
    }
    return analysis.has(Fact.CATALOG) ? "what a catalog says" : analysis.scatterObstacle();
  }

  /**
   * INSERT of given rows does the same whatever rows there are, and waits only for its own keys.
   */
  private List<TableName> locked(Statement statement) {
    boolean rowsGiven =
        statement instanceof Insert insert
            && insert.source() != null
            && insert.source().body() instanceof RowsSyntax rows
            && !readsRows(insert, insert.source(), rows);
    return rowsGiven ? List.of() : analysis.referencesAndChanged();
  }

  private static boolean readsRows(Insert insert, QuerySyntax source, RowsSyntax rows) {
    List<@Nullable Expression> parts = new ArrayList<>();
    parts.add(source.limit());
    parts.add(source.offset());
    parts.add(insert.rest());
    source.orderBy().forEach(item -> parts.add(item.expression()));
    rows.rows().forEach(parts::addAll);
    return !insert.with().ctes().isEmpty()
        || !source.with().ctes().isEmpty()
        || parts.stream().anyMatch(part -> part != null && !part.nested().isEmpty());
  }

  private ScatterStrategy strategy(
      Statement statement,
      @Nullable Block block,
      @Nullable AnalyzedChange change,
      CallFacts calls) {
    if (analysis.instances().isEmpty()) {
      return strategyWithoutKeys(statement, change, calls);
    }
    if (!analysis.fixedShards().isEmpty()) {
      return strategyWithOneShard(statement, calls, analysis.fixedShards().iterator().next());
    }
    String obstacle = obstacle(calls);
    if (statement instanceof Insert insert
        && change != null
        && change.rowKeys() != null
        && insert.source() != null
        && insert.source().body() instanceof RowsSyntax rows) {
      boolean splittable = obstacle == null && analysis.instances().size() == 1;
      return splittable
          ? new ScatterStrategy.SplitRows(new RowSplit(tokens, rows.rows(), change.rowKeys()))
          : refuse(obstacle == null ? "its rows belong to several shards" : obstacle);
    }
    if (block != null && statement instanceof QuerySyntax query) {
      ScatterStrategy strategy =
          obstacle == null ? new MergePlanner(analyzer).plan(query, block) : refuse(obstacle);
      boolean gathers = strategy instanceof RefuseScatter && serverObstacle(calls) == null;
      ScatterStrategy gathered = gathers ? new TablesPlanner(analyzer).plan() : null;
      return gathered == null ? strategy : gathered;
    }
    ScatterStrategy together = change(change, obstacle);
    if (!(together instanceof RefuseScatter) || !(statement instanceof Insert insert)) {
      return together;
    }
    ScatterStrategy byRow = new InsertPlanner(analyzer, this::alone).plan(insert);
    return byRow == null ? together : byRow;
  }

  /** Sharded tables together with tables that one shard alone has. */
  private ScatterStrategy strategyWithOneShard(Statement statement, CallFacts calls, int shard) {
    analysis.note(Fact.LITERALS_MATTER); // that shard is one of several, whatever the keys
    String obstacle = serverObstacle(calls);
    ScatterStrategy strategy = null;
    if (obstacle == null) {
      strategy =
          statement instanceof Insert insert
              ? new InsertPlanner(analyzer, this::alone).plan(insert)
              : new TablesPlanner(analyzer).plan();
    }
    if (strategy instanceof ScatterStrategy.ScatterInsert insert) {
      return new ScatterStrategy.ScatterInsert(insert.rows(), shard);
    }
    boolean writes =
        statement instanceof Insert || analysis.has(Fact.CHANGES) || analysis.has(Fact.LOCKS);
    if (strategy == null && obstacle == null && !writes) {
      return new RefuseScatter(
          "it names a table by TABLE, or a column together with a schema, of rows of several shards",
          "Write SELECT * FROM the table, and columns without a schema.",
          shard);
    }
    return strategy != null
        ? strategy
        : new RefuseScatter(
            obstacle == null
                ? "it changes or locks rows of a sharded table or of a table of one shard by those"
                    + " of the other"
                : "the statement needs several shards, and " + obstacle,
            "Read the rows first, and give them as constants or parameters; or make the table of one"
                + " shard a reference table.",
            shard);
  }

  private QueryPlan alone(String query) {
    TokenRange range = new TokenRange(query, SqlLexer.tokens(query));
    return new QueryPlanner(range, analyzer.tables(), LiteralUse.CONSTANTS).plan();
  }

  /** The same statement on each shard, for the rows there. */
  private ScatterStrategy change(@Nullable AnalyzedChange change, @Nullable String obstacle) {
    if (obstacle != null) {
      return refuse(obstacle);
    }
    boolean sharded =
        change != null
            && change.table() != null
            && change.table().sharding() instanceof Sharding.ByColumn;
    if (change == null || !sharded) {
      return refuse("a table that is on every shard would be changed by rows of some shards");
    }
    Placement rows = change.rows();
    if (rows instanceof Split split && split.unlessAnchored() != null) {
      return refuse(split.unlessAnchored());
    }
    return rows instanceof Split
        ? new ScatterStrategy.Sum()
        : refuse("the rows it changes are not those of one sharding column");
  }

  private @Nullable String obstacle(CallFacts calls) {
    return analysis.scatterObstacle() != null ? analysis.scatterObstacle() : serverObstacle(calls);
  }

  /** The place of rows that only a server can know. */
  private @Nullable String serverObstacle(CallFacts calls) {
    if (analysis.has(Fact.CATALOG)) {
      return "it uses a catalog together with sharded tables";
    }
    if (calls.unknown() != null) {
      return "function " + calls.unknown() + "() may read or write on one shard only";
    }
    if (calls.serverColumn() != null) {
      return "column " + calls.serverColumn() + " has a meaning on one server only";
    }
    if (calls.has(FunctionKind.NOTIFICATION)) {
      return "PostgreSQL sends notifications of one shard only in a transaction over several";
    }
    boolean advisory = calls.has(FunctionKind.ADVISORY) || calls.has(FunctionKind.SESSION_ADVISORY);
    return advisory ? "advisory locks belong to one server" : null;
  }

  private RefuseScatter refuse(String why) {
    return new RefuseScatter("the statement needs several shards, and " + why, hint());
  }

  /** Names the first table that no key was found for. */
  private String hint() {
    for (Instance instance : analysis.instances()) {
      if (keys(instance) == null) {
        return "Fix the sharding column of every sharded table, for example: WHERE "
            + instance.table().name().name()
            + "."
            + instance.sharding().column()
            + " = 42; or join tables on their sharding columns.";
      }
    }
    return "Use keys of one shard in one statement, and a statement for each shard.";
  }
}
