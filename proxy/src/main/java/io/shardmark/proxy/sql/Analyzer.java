package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Analysis.Fact;
import io.shardmark.proxy.sql.Placement.Split;
import io.shardmark.proxy.sql.Scope.NamedQuery;
import io.shardmark.proxy.sql.Scope.Relation;
import io.shardmark.proxy.sql.Syntax.Core;
import io.shardmark.proxy.sql.Syntax.Cte;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.Nested;
import io.shardmark.proxy.sql.Syntax.Parenthesised;
import io.shardmark.proxy.sql.Syntax.SetOperation;
import io.shardmark.proxy.sql.Syntax.With;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the tables of queries, what their sharding columns are fixed to, and where rows are. */
public final class Analyzer {
  private static final int MAX_QUERIES = 500;

  private final Analysis analysis;
  private final TableLookup tables;
  private final Predicates predicates;
  private final Operands operands;
  private final TokenRange tokens;
  private final FromAnalyzer from;
  private final CoreAnalyzer cores;
  private int queries;

  public Analyzer(Analysis analysis, TableLookup tables, Operands operands) {
    this.analysis = analysis;
    this.tables = tables;
    this.operands = operands;
    this.tokens = operands.tokens();
    this.predicates = new Predicates(operands);
    this.from = new FromAnalyzer(this);
    this.cores = new CoreAnalyzer(this);
  }

  public Analysis analysis() {
    return analysis;
  }

  public TableLookup tables() {
    return tables;
  }

  public Predicates predicates() {
    return predicates;
  }

  public Operands operands() {
    return operands;
  }

  public TokenRange tokens() {
    return tokens;
  }

  FromAnalyzer from() {
    return from;
  }

  /**
   * A query.
   *
   * @param parent names it can see besides its own
   * @param enclosing where the rows are for each of which it is computed
   */
  public Block query(Syntax.QuerySyntax query, @Nullable Scope parent, List<Split> enclosing) {
    if (++queries > MAX_QUERIES) {
      throw new SyntaxException("too many queries in one statement");
    }
    Scope scope = new Scope(with(query.with(), parent));
    if (query.locking()) {
      analysis.note(Fact.LOCKS);
    }
    Block block = body(query.body(), query, scope, enclosing);
    return limited(query, block);
  }

  private Block limited(Syntax.QuerySyntax query, Block block) {
    for (Expression part : new Expression[] {query.limit(), query.offset()}) {
      if (part != null && !part.nested().isEmpty()) {
        analysis.onlyOnOneShard("LIMIT or OFFSET is computed by a query");
      }
    }
    return block;
  }

  /** The block as part of another query, where LIMIT must have been applied to all rows. */
  Block inner(Syntax.QuerySyntax query, Block block) {
    if (query.limits() != null && block.placement() instanceof Split split) {
      return new Block(
          split.because("a subquery has LIMIT or OFFSET"),
          block.outputs(),
          block.complete(),
          block.facts());
    }
    if (query.limits() != null) {
      analysis.onlyOnOneShard("a subquery has LIMIT or OFFSET");
    }
    return block;
  }

  /** The names of WITH: a query sees those before it. */
  @Nullable Scope with(With with, @Nullable Scope parent) {
    Scope before = parent;
    for (Cte cte : with.ctes()) {
      Scope scope = new Scope(before);
      scope.define(cte.name(), named(cte, with, before));
      before = scope;
    }
    return before;
  }

  private NamedQuery named(Cte cte, With with, @Nullable Scope before) {
    if (!(cte.statement() instanceof Syntax.QuerySyntax query)) {
      analysis.onlyOnOneShard("WITH changes rows");
      return new NamedQuery(cte, before, new ChangeAnalyzer(this).nested(cte, before));
    }
    if (!with.recursive() || !tokens.hasName(query, cte.name())) {
      return new NamedQuery(cte, before, null);
    }
    // Inside itself it is a table of unknown columns; outside too, as it is analysed only here.
    NamedQuery unknown = new NamedQuery(cte, before, new Relation(null, List.of(), false));
    Scope itself = new Scope(before);
    itself.define(cte.name(), unknown);
    analysis.onlyOnOneShard("WITH RECURSIVE");
    query(query, itself, List.of());
    return unknown;
  }

  private Block body(
      Syntax.BodySyntax body, Syntax.QuerySyntax query, Scope scope, List<Split> enclosing) {
    if (body instanceof Core core) {
      return cores.core(core, query, scope, enclosing);
    }
    if (body instanceof Parenthesised parenthesised) {
      Block block = inner(parenthesised.query(), query(parenthesised.query(), scope, enclosing));
      return new Block(block.placement(), block.outputs(), block.complete(), null);
    }
    if (body instanceof Syntax.RowsSyntax rows) {
      return rows(rows, scope, enclosing);
    }
    return setOperation((SetOperation) body, query, scope, enclosing);
  }

  private Block rows(Syntax.RowsSyntax rows, Scope scope, List<Split> enclosing) {
    for (List<Expression> row : rows.rows()) {
      row.forEach(expression -> nested(expression, scope, enclosing));
    }
    List<Scope.ScopeOutput> outputs = new ArrayList<>();
    for (int i = 0; i < rows.rows().get(0).size(); i++) {
      outputs.add(new Scope.ScopeOutput("column" + (i + 1), null, false));
    }
    return new Block(Placement.EVERYWHERE, outputs, true, null);
  }

  private Block setOperation(
      SetOperation operation, Syntax.QuerySyntax query, Scope scope, List<Split> enclosing) {
    Block left = body(operation.left(), noTail(query), new Scope(scope), enclosing);
    Block right = body(operation.right(), noTail(query), new Scope(scope), enclosing);
    List<Scope.ScopeOutput> outputs = new ArrayList<>();
    Set<Variable> common = new HashSet<>();
    boolean paired = left.complete() && right.complete();
    for (int i = 0; i < left.outputs().size(); i++) {
      Scope.ScopeOutput first = left.outputs().get(i);
      Scope.ScopeOutput second =
          paired && i < right.outputs().size()
              ? right.outputs().get(i)
              : new Scope.ScopeOutput("", null, false);
      Scope.ScopeOutput output = united(first, second, query.limits() == null);
      outputs.add(output);
      Variable variable = output.variable();
      if (variable != null && carries(left, first) && carries(right, second)) {
        common.add(variable);
      }
    }
    Placement placement = united(operation, left, right, common);
    return new Block(placement, outputs, left.complete(), null);
  }

  /** The operands of a set operation have neither ORDER BY nor LIMIT. */
  private static Syntax.QuerySyntax noTail(Syntax.QuerySyntax query) {
    return new Syntax.QuerySyntax(
        With.NONE, query.body(), List.of(), null, null, query.limits(), false, false, 0, 0);
  }

  private static boolean carries(Block block, Scope.ScopeOutput output) {
    return block.placement() instanceof Split split && split.carriers().contains(output.variable());
  }

  private static Scope.ScopeOutput united(
      Scope.ScopeOutput first, Scope.ScopeOutput second, boolean pushable) {
    Variable left = first.variable();
    Variable right = second.variable();
    boolean bytes = first.byteOrdered() && second.byteOrdered();
    if (left == null || right == null || left.type() != right.type()) {
      return new Scope.ScopeOutput(first.name(), null, bytes);
    }
    Variable both = new Variable(left.type());
    if (pushable) {
      both.implies(left);
      both.implies(right);
    }
    return new Scope.ScopeOutput(first.name(), both, bytes);
  }

  private static Placement united(
      SetOperation operation, Block left, Block right, Set<Variable> common) {
    if (!(left.placement() instanceof Split first)) {
      return right.placement() instanceof Split split
          ? split.because("a set operation has operands that are on every shard")
          : left.placement();
    }
    if (!(right.placement() instanceof Split second)) {
      return first.because("a set operation has operands that are on every shard");
    }
    boolean same = first.sameRule(second);
    Set<Variable> carriers = new HashSet<>(first.carriers());
    carriers.retainAll(second.carriers()); // those of enclosing queries
    if (same) {
      carriers.addAll(common);
    }
    Split sum = first.carriedBy(carriers);
    if (second.unlessAnchored() != null) {
      sum = sum.because(second.unlessAnchored());
    }
    boolean perShard = operation.operator().equals("union") && operation.all();
    boolean byKey = same && !common.isEmpty();
    return perShard || byKey
        ? sum
        : sum.because(operation.operator().toUpperCase(Locale.ROOT) + " removes rows");
  }

  /**
   * Queries inside an expression. On several shards each must need rows of the shard only on which
   * it is computed.
   */
  void nested(Expression expression, Scope scope, List<Split> enclosing) {
    for (Nested nested : expression.nested()) {
      check(inner(nested.query(), query(nested.query(), scope, enclosing)), enclosing);
    }
  }

  void check(Block block, List<Split> enclosing) {
    if (block.placement() instanceof Split split && !isAnchored(split, enclosing)) {
      String why = split.unlessAnchored();
      analysis.onlyOnOneShard(why == null ? "a subquery reads rows of several shards" : why);
    }
  }

  static boolean isAnchored(Split split, List<Split> enclosing) {
    for (Split outer : enclosing) {
      if (split.sameRule(outer) && split.isAnchoredTo(outer.carriers())) {
        return true;
      }
    }
    return false;
  }
}
