package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Analyzer;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.Functions;
import io.shardmark.proxy.sql.RenumberedText;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.Syntax;
import io.shardmark.proxy.sql.Syntax.Cte;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.Insert;
import io.shardmark.proxy.sql.Syntax.TableItem;
import io.shardmark.proxy.sql.Syntax.With;
import io.shardmark.proxy.sql.Target;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenRange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans INSERT ... SELECT whose rows go to other shards than those that give them, and INSERT ...
 * VALUES whose keys a server computes.
 */
final class InsertPlanner {
  private static final Set<Functions.FunctionKind> STEADY =
      Set.of(
          Functions.FunctionKind.IMMUTABLE,
          Functions.FunctionKind.STABLE,
          Functions.FunctionKind.VOLATILE,
          Functions.FunctionKind.AGGREGATE,
          Functions.FunctionKind.WINDOW);

  private final Analyzer analyzer;
  private final TokenRange tokens;
  private final Function<String, StatementPlan.QueryPlan> queries;

  /**
   * @param queries plans a query of the statement as a statement
   */
  InsertPlanner(Analyzer analyzer, Function<String, StatementPlan.QueryPlan> queries) {
    this.analyzer = analyzer;
    this.tokens = analyzer.tokens();
    this.queries = queries;
  }

  /** The plan, or why the query cannot be executed; null if the statement cannot be cut so. */
  @Nullable ScatterStrategy plan(Insert insert) {
    Syntax.QuerySyntax source = insert.source();
    Table table = analyzer.tables().find(insert.target().schema(), insert.target().name());
    if (source == null
        || (source.body() instanceof Syntax.RowsSyntax rows && !meansTheSameAlone(rows.rows()))
        || table == null
        || !(table.sharding() instanceof Sharding.ByColumn sharding)
        || !mayStandAlone(insert, source)) {
      return null;
    }
    int start = insert.target().from() - 2;
    String query = text(0, start) + rowsOf(source);
    StatementPlan.QueryPlan plan = queries.apply(query);
    if (plan.target() instanceof Target.All
        && plan.strategy() instanceof ScatterStrategy.RefuseScatter) {
      return plan.strategy();
    }
    if (!plan.effects().isEmpty()) {
      return null;
    }
    List<String> columns = insert.columns(table);
    RenumberedText tail = new RenumberedText(tokens).copy(insert.rest().from(), insert.rest().to());
    return new ScatterStrategy.ScatterInsert(
        new InsertedRows(
            new PlannedStatement(query, "SELECT", plan),
            text(start, source.from()),
            tail.text(),
            tail.parameters(),
            columns(columns, insert.target()),
            sharding,
            columns.indexOf(sharding.column()),
            unified(source)));
  }

  /** A single row in VALUES may call functions that return sets, as a select list may. */
  private String rowsOf(Syntax.QuerySyntax source) {
    if (source.body() instanceof Syntax.RowsSyntax rows && rows.rows().size() == 1) {
      List<Expression> row = rows.rows().get(0);
      int end = row.get(row.size() - 1).to();
      if (end + 1 == source.to()) {
        return "SELECT " + text(row.get(0).from(), end);
      }
    }
    return text(source.from(), source.to());
  }

  /** Whether the query means the same without the INSERT, and what follows it on any shard. */
  private boolean mayStandAlone(Insert insert, Syntax.QuerySyntax source) {
    Expression rest = insert.rest();
    CallFacts calls = CallFacts.of(tokens, List.of(rest), analyzer.tables()::overload);
    boolean twice = !insert.with().ctes().isEmpty() && !source.with().ctes().isEmpty();
    boolean steady = true;
    for (Functions.FunctionKind kind : Functions.FunctionKind.values()) {
      steady &= STEADY.contains(kind) || !calls.has(kind);
    }
    return !twice
        && steady
        && !changesRows(insert.with())
        && !changesRows(source.with())
        && rest.nested().isEmpty()
        && calls.serverColumn() == null
        && !calls.looksAtCatalog();
  }

  /**
   * Whether VALUES have the same types and values without the INSERT: there each value is read for
   * its column, here all values of a column get one type.
   */
  private boolean meansTheSameAlone(List<List<Expression>> rows) {
    for (int i = 0; i < rows.get(0).size(); i++) {
      List<Expression> column = column(rows, i);
      boolean oneKind =
          rows.size() == 1
              || column.stream().allMatch(this::isUntyped)
              || column.stream().allMatch(this::isNumber);
      if (!oneKind || column.stream().anyMatch(value -> tokens.word(value.from(), "default"))) {
        return false;
      }
    }
    return true;
  }

  private static List<Expression> column(List<List<Expression>> rows, int index) {
    return rows.stream().filter(row -> index < row.size()).map(row -> row.get(index)).toList();
  }

  /** Numbers and parameters, perhaps with operators between them, or NULL. */
  private boolean isNumber(Expression value) {
    for (int i = value.from(); i < value.to(); i++) {
      boolean fits =
          switch (tokens.at(i).kind()) {
            case INTEGER, NUMBER, PARAMETER, OPERATOR, PUNCTUATION -> true;
            default -> tokens.word(i, "null") || tokens.word(i, "abs");
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static boolean changesRows(With with) {
    for (Cte cte : with.ctes()) {
      if (!(cte.statement() instanceof Syntax.QuerySyntax)) {
        return true;
      }
    }
    return false;
  }

  /** As {@link InsertedRows#unified}. */
  private Map<Integer, List<Integer>> unified(Syntax.QuerySyntax source) {
    Map<Integer, List<Integer>> unified = new HashMap<>();
    if (source.body() instanceof Syntax.RowsSyntax rows && rows.rows().size() > 1) {
      for (int i = 0; i < rows.rows().get(0).size(); i++) {
        unified.put(
            i,
            column(rows.rows(), i).stream()
                .filter(value -> !isUntyped(value))
                .map(this::parameter)
                .toList());
      }
    }
    return unified;
  }

  private int parameter(Expression value) {
    Span span = tokens.stripped(value);
    Token token = tokens.at(span.from());
    return span.size() == 1 && token.kind() == TokenKind.PARAMETER
        ? Integer.parseInt(tokens.text(token).substring(1)) - 1
        : InsertedRows.COMPUTED;
  }

  private boolean isUntyped(Expression expression) {
    Span span = tokens.stripped(expression);
    return span.size() == 1
        && switch (tokens.at(span.from()).kind()) {
          case STRING, ESCAPED_STRING, DOLLAR_STRING -> true;
          default -> tokens.word(span.from(), "null");
        };
  }

  private static String columns(List<String> names, TableItem table) {
    String schema = table.schema() == null ? "" : TableName.quoted(table.schema()) + ".";
    return names.stream().map(TableName::quoted).collect(Collectors.joining(", ", "SELECT ", ""))
        + " FROM "
        + schema
        + TableName.quoted(table.name());
  }

  /** From the token {@code from} to where the token {@code to} begins, or to the end. */
  private String text(int from, int to) {
    int end = to < tokens.size() ? tokens.at(to).start() : tokens.sql().length();
    return from == to ? "" : tokens.sql().substring(tokens.at(from).start(), end);
  }
}
