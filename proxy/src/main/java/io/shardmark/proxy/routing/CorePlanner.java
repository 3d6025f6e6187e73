package io.shardmark.proxy.routing;

import io.shardmark.proxy.sql.Analyzer;
import io.shardmark.proxy.sql.Block;
import io.shardmark.proxy.sql.CoreAnalyzer;
import io.shardmark.proxy.sql.Scope;
import io.shardmark.proxy.sql.Syntax;
import io.shardmark.proxy.sql.Syntax.Core;
import io.shardmark.proxy.sql.Syntax.SortItem;
import io.shardmark.proxy.sql.TokenRange;

/** What one server computes of the rows of several for one SELECT. */
abstract class CorePlanner {
  final Analyzer analyzer;
  final TokenRange tokens;
  final CoreAnalyzer cores;
  final Syntax.QuerySyntax query;
  final Block.Facts facts;
  final Core core;
  final Scope scope;

  CorePlanner(Analyzer analyzer, Syntax.QuerySyntax query, Block.Facts facts) {
    this.analyzer = analyzer;
    this.tokens = analyzer.tokens();
    this.cores = new CoreAnalyzer(analyzer);
    this.query = query;
    this.facts = facts;
    this.core = facts.core();
    this.scope = facts.scope();
  }

  /**
   * The plan.
   *
   * @throws SyntaxException if it cannot be computed of what the shards give; says why
   */
  abstract ScatterStrategy.Finish plan();

  /** Whether it may mean a column of the result whose name is not known. */
  boolean mayMeanUnnamed(SortItem item) {
    return item.expression().size() == 1
        && core.items().stream()
            .anyMatch(
                other -> cores.mayBeCalled(other, tokens.at(item.expression().from()).text()));
  }
}
