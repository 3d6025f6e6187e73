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

  /** In parentheses a word of these begins a query. */
  private static final List<String> QUERIES = List.of("select", "with", "table", "values");

  private MergeStatement() {}

  /**
   * Its plan.
   *
   * @param queries plans of queries: one that reads what MERGE reads goes where MERGE can go
   * @param effects of functions that it calls
   */
  static StatementPlan plan(
      TokenRange tokens,
      Function<String, StatementPlan> queries,
      TableLookup tables,
      Set<SessionEffect> effects) {
    Span all = Span.of(0, tokens.size());
    int merge = tokens.find(all, "merge");
    TokenCursor words = new TokenCursor(tokens);
    words.moveTo(merge + 1);
    words.take("into");
    int target = words.at();
    words.take("only");
    Name name = words.path();
    int using = tokens.find(all, "using");
    int when = when(tokens, using);
    // All rows of both: the condition keeps none from WHEN NOT MATCHED.
    StringBuilder read =
        new StringBuilder(tokens.text(0, merge))
            .append(" SELECT 1 FROM ")
            .append(tokens.text(target, using))
            .append(" FULL JOIN ")
            .append(tokens.text(using + 1, when))
            .append(" WHERE true");
    for (int i = when; i < tokens.size(); i++) {
      int open = i;
      if (tokens.symbol(i, "(") && QUERIES.stream().anyMatch(word -> tokens.word(open + 1, word))) {
        i = tokens.skip(i) - 1;
        read.append(" AND EXISTS ").append(tokens.text(open, i + 1));
      }
    }
    StatementPlan joined = queries.apply(read.toString());
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
            && on.uncheckedKey().isEmpty()
            && query.target() instanceof Target.Fixed
            && when < tokens.size()
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
