package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.Functions.FunctionKind;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.TableLookup;
import io.shardmark.proxy.sql.Target;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** MERGE, which is left to the server of a table of one shard. */
final class MergeStatement {
  /** What outlasts the statement, or concerns other shards. */
  private static final Set<FunctionKind> REFUSED =
      EnumSet.of(
          FunctionKind.SEQUENCE_CHANGE,
          FunctionKind.SEQUENCE_STATE,
          FunctionKind.NOTIFICATION,
          FunctionKind.EVERY_SERVER,
          FunctionKind.ADVISORY,
          FunctionKind.SESSION_ADVISORY,
          FunctionKind.SESSION);

  /** A word of these may begin a query that reads other tables. */
  private static final List<String> QUERIES = List.of("select", "table");

  private MergeStatement() {}

  /**
   * Its plan.
   *
   * @param queries plans of queries: the join of the two tables goes where MERGE can go
   * @param effects of functions that it calls
   */
  static StatementPlan plan(
      TokenRange tokens,
      Function<String, StatementPlan> queries,
      TableLookup tables,
      Set<SessionEffect> effects) {
    TokenCursor words = new TokenCursor(tokens);
    words.take("merge");
    words.take("into");
    int target = words.at();
    words.take("only");
    Name name = words.path();
    Span all = Span.of(0, tokens.size());
    int using = tokens.find(all, "using");
    int when = when(tokens, using);
    Span clauses = Span.of(when, tokens.size());
    String join =
        "SELECT 1 FROM %s JOIN %s"
            .formatted(tokens.text(target, using), tokens.text(using + 1, when));
    StatementPlan joined = queries.apply(join);
    if (!(joined instanceof StatementPlan.QueryPlan query)) {
      return joined;
    }
    int shard =
        query.target() instanceof Target.Fixed one ? one.shard() : query.strategy().knownOn();
    StatementPlan.QueryPlan refused =
        new StatementPlan.QueryPlan(
            Access.WRITE,
            new Target.All(),
            new ScatterStrategy.RefuseScatter(
                "MERGE is not supported over several shards",
                "Use INSERT ... ON CONFLICT, or UPDATE and INSERT. " + Refusals.BY_HAND,
                shard),
            effects);
    Table table = name == null ? null : tables.find(name.schema(), name.name());
    CallFacts calls = CallFacts.of(tokens, all);
    boolean alone =
        table != null
            && table.sharding() instanceof Sharding.OnShard on
            && on.whole()
            && query.target() instanceof Target.Fixed
            && clauses.size() > 0
            && QUERIES.stream().noneMatch(word -> tokens.hasWord(clauses, word))
            && REFUSED.stream().noneMatch(calls::has);
    return alone ? refused.on(shard) : refused;
  }

  /** Where WHEN MATCHED or WHEN NOT MATCHED begins; a CASE has another WHEN. */
  private static int when(TokenRange tokens, int from) {
    int at = from;
    do {
      at = tokens.find(Span.of(Math.min(at + 1, tokens.size()), tokens.size()), "when");
    } while (at < tokens.size()
        && !tokens.word(at + 1, "matched")
        && !(tokens.word(at + 1, "not") && tokens.word(at + 2, "matched")));
    return at;
  }
}
