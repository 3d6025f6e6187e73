package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.Functions.FunctionKind;
import io.shardmark.proxy.sql.KeyFormatException;
import io.shardmark.proxy.sql.Operands.LiteralUse;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.StatementSplitter;
import io.shardmark.proxy.sql.SyntaxException;
import io.shardmark.proxy.sql.TableLookup;
import io.shardmark.proxy.sql.Target;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the plan of one statement. Pure; for all threads. */
record Planner(ShardMap map, DdlPlanner ddl) {
  private static final Set<String> QUERIES =
      Set.of("select insert update delete with values table".split(" ", -1));
  private static final Set<String> DDL =
      Set.of(
          ("alter analyze checkpoint cluster comment create drop grant import load lock"
                  + " reassign refresh reindex revoke security truncate vacuum")
              .split(" ", -1));

  /**
   * A plan, and whether it holds for other literals in the same places.
   *
   * @param forThisTextOnly it does not
   */
  record Planned(PlannedStatement statement, boolean forThisTextOnly) {}

  /** Whether the text begins like a statement whose literals may be replaced. */
  static boolean isQuery(String firstWord) {
    return QUERIES.contains(firstWord);
  }

  PlannedStatement plan(String sql, List<String> searchPath) {
    return plan(sql, new TableLookup(map, searchPath), LiteralUse.CONSTANTS).statement();
  }

  /** For all statements of that shape: what no literal changes. */
  Planned planShape(String text, List<String> searchPath) {
    Planned planned = plan(text, new TableLookup(map, searchPath), LiteralUse.PARAMETERS);
    PlannedStatement statement = planned.statement();
    if (planned.forThisTextOnly() || !(statement.plan() instanceof StatementPlan.QueryPlan query)) {
      return new Planned(statement, true);
    }
    if (query.strategy() instanceof ScatterStrategy.Sum
        || query.strategy() instanceof ScatterStrategy.Same) {
      return planned;
    }
    StatementPlan.QueryPlan shape =
        new StatementPlan.QueryPlan(
            query.access(), query.target(), new ScatterStrategy.ScatterByText(), query.effects());
    return new Planned(
        new PlannedStatement(statement.sql(), statement.tag(), shape, false, statement.missed()),
        query.target() instanceof Target.All);
  }

  private Planned plan(String text, TableLookup tables, LiteralUse literals) {
    List<Token> tokens = SqlLexer.tokens(text);
    String sql = text;
    while (!tokens.isEmpty() && tokens.get(tokens.size() - 1).isSymbol(";")) {
      sql = text.substring(0, tokens.get(tokens.size() - 1).start()).stripTrailing();
      tokens = tokens.subList(0, tokens.size() - 1);
    }
    if (tokens.isEmpty()) {
      return new Planned(new PlannedStatement(text, "", new StatementPlan.Empty()), true);
    }
    TokenRange statement = new TokenRange(sql, tokens);
    boolean textOnly = true;
    StatementPlan plan = TransactionCommands.plan(statement, map.shards().size());
    if (plan == null) {
      plan = SessionCommands.plan(statement);
    }
    if (plan instanceof StatementPlan.SetParameter set) {
      plan = readable(set, statement.text(statement.at(tokens.size() - 1)));
    }
    if (plan == null && isQueryStart(statement)) {
      QueryResult result = query(statement, tables, literals);
      plan = result.plan();
      textOnly = result.forThisTextOnly();
    } else if (plan == null) {
      try {
        plan = other(statement, tables);
      } catch (SyntaxException e) {
        plan = Refusals.notUnderstood(String.valueOf(e.getMessage()));
      }
    }
    if (!plan.needsServer() && StatementSplitter.split(sql).size() > 1) {
      plan =
          StatementPlan.QueryPlan.anywhere(
              Access.READ); // says what is wrong: several commands in one Parse
    }
    if (TemporaryObjects.concern(statement, tables.searchPath(), map)) {
      plan = onItsConnection(plan, statement);
    }
    StatementPlan routed = byHand(statement, plan);
    textOnly |= routed != plan;
    return new Planned(
        new PlannedStatement(
            text,
            tag(statement),
            ended(oneShard(routed), text.substring(sql.length())),
            CopyPlanner.copiesIn(statement),
            tables.hasMissed() && map.shards().size() > 1),
        textOnly);
  }

  /** With the end of the client's text, which servers name in errors. */
  private static StatementPlan ended(StatementPlan plan, String end) {
    if (!end.isEmpty() && plan instanceof StatementPlan.Ddl ddl) {
      List<@Nullable String> statements = new ArrayList<>();
      ddl.statements().forEach(sql -> statements.add(sql == null ? null : sql + end));
      return ddl.with(statements);
    }
    return !end.isEmpty()
            && plan instanceof StatementPlan.QueryPlan query
            && query.strategy() instanceof ScatterStrategy.Merge merge
        ? new StatementPlan.QueryPlan(
            query.access(), query.target(), merge.endingWith(end), query.effects())
        : plan;
  }

  /** Its objects are on one server connection, which the client keeps. */
  private static StatementPlan onItsConnection(StatementPlan plan, TokenRange statement) {
    boolean mayCommit = statement.word(0, "do") || statement.word(0, "call");
    CallFacts calls = CallFacts.of(statement, Span.of(0, statement.size()));
    boolean always =
        mayCommit || calls.has(FunctionKind.SESSION_ADVISORY) || calls.has(FunctionKind.SESSION);
    Set<SessionEffect> effects =
        Set.of(always ? SessionEffect.PINS_ALWAYS : SessionEffect.PINS_IF_COMMITTED);
    if (plan instanceof StatementPlan.QueryPlan query) {
      return query.with(effects);
    }
    return plan instanceof StatementPlan.Ddl
        ? Refusals.query(
            Access.WRITE,
            "a temporary object over several shards is not supported",
            "Choose one with a comment, /* shardmark_shard: name */, or SET shardmark.shard.",
            effects)
        : plan;
  }

  /** What the proxy reads texts by stays as it is. */
  private StatementPlan readable(StatementPlan.SetParameter set, String value) {
    return FixedParameter.of(set.name())
        .filter(fixed -> !set.reset() && fixed.refuses(map.shards().size(), value))
        .<StatementPlan>map(fixed -> new StatementPlan.RefusedPlan(fixed.message(), fixed.hint()))
        .orElse(set);
  }

  private static boolean isQueryStart(TokenRange statement) {
    return (isQuery(statement.at(0).text()) && !tag(statement).equals("MERGE"))
        || statement.symbol(0, "(");
  }

  private record QueryResult(StatementPlan plan, boolean forThisTextOnly) {}

  private QueryResult query(TokenRange statement, TableLookup tables, LiteralUse literals) {
    if (map.shards().size() > 1
        && callsSetval(statement)
        && OneShardSequences.shards(statement, tables).contains(OneShardSequences.OTHER)) {
      return new QueryResult(ddl(statement, tables), true);
    }
    try {
      QueryPlanner planner = new QueryPlanner(statement, tables, literals);
      StatementPlan.QueryPlan plan = planner.plan();
      if ((planner.changesReference() || planner.isNowhere())
          && map.shards().size() > 1
          && plan.strategy() instanceof ScatterStrategy.RefuseScatter refuse) {
        return new QueryResult(
            new StatementPlan.RefusedPlan(refuse.message(), refuse.hint()), true);
      }
      return new QueryResult(plan, planner.isForThisTextOnly());
    } catch (SyntaxException e) {
      return new QueryResult(Refusals.notUnderstood(String.valueOf(e.getMessage())), true);
    }
  }

  private StatementPlan ddl(TokenRange statement, TableLookup tables) {
    return ddl.plan(statement.sql(), statement.tokens(), tables);
  }

  /** {@code SELECT setval(...)}: the values are dealt to all shards. */
  private static boolean callsSetval(TokenRange statement) {
    TokenCursor words = new TokenCursor(statement);
    boolean selects = words.take("select");
    words.take("pg_catalog", ".");
    return selects && words.sees("setval", "(");
  }

  private StatementPlan other(TokenRange statement, TableLookup tables) {
    String first = statement.at(0).text();
    if (DDL.contains(first)) {
      return ddl(statement, tables);
    }
    return switch (first) {
      case "explain" -> explain(statement, tables);
      case "copy" -> copy(statement, tables);
      case "call", "do" ->
          Refusals.query(
              Access.WRITE,
              first.toUpperCase(Locale.ROOT) + " may read and write any table, on one shard only",
              Refusals.BY_HAND,
              first.equals("do")
                  ? Set.of(SessionEffect.MAY_SET, SessionEffect.MAKES_PARAMETERS)
                  : maySet());
      case "merge", "with" ->
          MergeStatement.plan(statement, sql -> innerQuery(sql, tables), tables, maySet());
      case "prepare", "execute" ->
          Refusals.query(
              map.shards().size() == 1 ? Access.STATE : Access.WRITE,
              first.toUpperCase(Locale.ROOT) + " in SQL is not supported over several shards",
              "Send the statement itself, or prepare it by the protocol, as drivers do. "
                  + Refusals.BY_HAND,
              Set.of(SessionEffect.PINS_IF_EXECUTED));
      case "declare", "fetch", "move", "close" ->
          CursorCommands.plan(statement, inner -> byHand(statement, innerQuery(inner, tables)));
      default ->
          StatementPlan.QueryPlan.anywhere(
              Access.READ); // which says that the word begins no statement
    };
  }

  private Set<SessionEffect> maySet() {
    return map.schemas().functionsSet() ? Set.of(SessionEffect.MAY_SET) : Set.of();
  }

  private StatementPlan copy(TokenRange statement, TableLookup tables) {
    return new CopyPlanner(statement, tables).plan(inner -> innerQuery(inner, tables));
  }

  private StatementPlan innerQuery(String sql, TableLookup tables) {
    TokenRange statement = new TokenRange(sql, SqlLexer.tokens(sql));
    return query(statement, tables, LiteralUse.CONSTANTS).plan();
  }

  /** EXPLAIN goes where its statement goes; without ANALYZE one shard's plan is shown for all. */
  private StatementPlan explain(TokenRange statement, TableLookup tables) {
    TokenCursor words = new TokenCursor(statement);
    words.take("explain");
    boolean analyze = false;
    boolean options = words.take("(");
    while (options
        ? !words.done() && !words.take(")")
        : isAnalyze(words.peek()) || words.sees("verbose")) {
      analyze |= isAnalyze(words.take());
    }
    if (words.done()) {
      return StatementPlan.QueryPlan.anywhere(Access.READ);
    }
    String inner = words.rest();
    StatementPlan plan = plan(inner, tables, LiteralUse.CONSTANTS).statement().plan();
    if (plan instanceof StatementPlan.RefusedPlan) {
      return plan;
    }
    if (!(plan instanceof StatementPlan.QueryPlan query)) {
      return Refusals.query(
          Access.WRITE, "EXPLAIN of such a statement cannot be routed", Refusals.BY_HAND);
    }
    if (analyze && query.strategy().changesCopies()) {
      // By hand neither: it would change the copy on one shard only.
      return new StatementPlan.RefusedPlan(
          "EXPLAIN ANALYZE changes a table that is on every shard",
          "Leave out ANALYZE, or execute the statement.");
    }
    ScatterStrategy.RefuseScatter refuse =
        query.strategy() instanceof ScatterStrategy.RefuseScatter refused
            ? refused
            : new ScatterStrategy.RefuseScatter(
                "EXPLAIN of a statement over several shards",
                "Explain it with keys of one shard.",
                query.strategy().knownOn());
    Target one = refuse.knownOn() < 0 ? new Target.Any() : new Target.Fixed(refuse.knownOn());
    boolean shown = query.target() instanceof Target.All && !analyze;
    return new StatementPlan.QueryPlan(
        analyze ? query.access() : Access.READ,
        shown ? one : query.target(),
        refuse,
        query.effects());
  }

  private static boolean isAnalyze(Token token) {
    return token.isWord("analyze") || token.isWord("analyse");
  }

  /** What a comment says about the route, unless it would make copies of a table differ. */
  private StatementPlan byHand(TokenRange statement, StatementPlan plan) {
    if (!(plan instanceof StatementPlan.QueryPlan query) || query.strategy().changesCopies()) {
      return plan;
    }
    try {
      Integer shard = HandRoute.inComments(statement, map);
      return shard == null ? plan : query.on(shard);
    } catch (KeyFormatException e) {
      return new StatementPlan.RefusedPlan(
          "the route in the comment cannot be used: " + e.getMessage(),
          "Write /* shardmark_key: 42 */ or /* shardmark_shard: name */.");
    }
  }

  /** With one shard nothing is refused and nothing is merged. */
  private StatementPlan oneShard(StatementPlan plan) {
    if (map.shards().size() > 1) {
      return plan;
    }
    if (plan instanceof StatementPlan.QueryPlan query) {
      return query.on(0);
    }
    if (plan instanceof StatementPlan.Ddl ddl && !ddl.changesMap()) {
      return StatementPlan.QueryPlan.anywhere(Access.WRITE).on(0);
    }
    if (plan instanceof StatementPlan.DeclareCursor declare) {
      return StatementPlan.QueryPlan.anywhere(Access.READ).on(0).with(declare.effects());
    }
    if (plan instanceof StatementPlan.Cursor) {
      return StatementPlan.QueryPlan.anywhere(Access.READ).on(0);
    }
    if (plan instanceof StatementPlan.Copy copy) {
      return new StatementPlan.Copy(
          copy.fromClient(), new Target.Fixed(0), null, false, copy.text(), copy.effects(), null);
    }
    return plan;
  }

  /** What PostgreSQL's command tag begins with. */
  private static String tag(TokenRange statement) {
    String word = statement.symbol(0, "(") ? "select" : statement.at(0).text();
    String object = statement.at(1).text();
    return switch (word) {
      case "with" -> afterWith(statement);
      case "values", "table" -> "SELECT";
      case "end" -> "COMMIT";
      case "abort" -> "ROLLBACK";
      case "start" -> "START TRANSACTION";
      case "set" -> object.equals("constraints") ? "SET CONSTRAINTS" : "SET";
      case "create", "alter", "drop" -> (word + " " + object).toUpperCase(Locale.ROOT);
      default -> word.toUpperCase(Locale.ROOT);
    };
  }

  private static String afterWith(TokenRange statement) {
    for (int i = 0; i < statement.size(); i = statement.skip(i)) {
      Token token = statement.at(i);
      if (token.kind() == TokenKind.WORD) {
        switch (token.text()) {
          case "select", "values", "table" -> {
            return "SELECT";
          }
          case "insert", "update", "delete", "merge" -> {
            if (!statement.word(i + 1, "as") && !statement.symbol(i + 1, "(")) {
              return token.text().toUpperCase(Locale.ROOT); // no name in WITH
            }
          }
          default -> {}
        }
      }
    }
    return "SELECT";
  }
}
