package io.shardmark.proxy.routing;

import io.shardmark.proxy.protocol.PgType;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Analysis;
import io.shardmark.proxy.sql.Analysis.Fact;
import io.shardmark.proxy.sql.Analysis.TableUse;
import io.shardmark.proxy.sql.Analyzer;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.Scope;
import io.shardmark.proxy.sql.Scope.Found;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.Syntax.Core;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.FromItem;
import io.shardmark.proxy.sql.Syntax.JoinItem;
import io.shardmark.proxy.sql.Syntax.JoinKind;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query that joins rows of different shards, or has subqueries over several: the shards give the
 * rows of its tables that its conditions leave, in one statement each, so of one snapshot each, and
 * one server computes the query over them.
 */
final class TablesPlanner {
  /** Words of conditions that are no columns. */
  private static final Set<String> WORDS =
      Set.of(
          ("and or not in is null between symmetric like ilike true false any some all array"
                  + " distinct from unknown case when then else end escape similar to collate")
              .split(" ", -1));

  private final String sql;
  private final Analyzer analyzer;
  private final Analysis analysis;
  private final TokenRange tokens;

  TablesPlanner(Analyzer analyzer) {
    this.sql = analyzer.tokens().sql();
    this.analyzer = analyzer;
    this.analysis = analyzer.analysis();
    this.tokens = analyzer.tokens();
  }

  /** The plan; null if the query cannot be computed so. */
  @Nullable ScatterStrategy plan() {
    List<TableUse> uses = analysis.uses();
    if (analysis.has(Fact.CHANGES)
        || analysis.has(Fact.LOCKS)
        || uses.isEmpty()
        || uses.stream().anyMatch(use -> tokens.word(use.item().from() - 1, "table"))
        || namesSchemas()) {
      return null;
    }
    boolean all = needsAllColumns(uses);
    List<List<Integer>> columns = uses.stream().map(use -> columns(use, all)).toList();
    int width = columns.stream().mapToInt(List::size).max().orElse(0);
    List<String> asked = new ArrayList<>();
    StringBuilder askedThere = new StringBuilder();
    List<String> pieces = new ArrayList<>();
    List<GatheredTables.GatheredTableRows> tables = new ArrayList<>();
    int copied = 0;
    for (int i = 0; i < uses.size(); i++) {
      TableUse use = uses.get(i);
      String question = question(i, use, columns.get(i), width);
      if (use.table().sharding() instanceof Sharding.ByColumn) {
        asked.add(question);
      } else {
        askedThere.append(" UNION ALL ").append(question);
      }
      pieces.add(sql.substring(copied, tokens.at(use.item().from()).start()));
      copied = tokens.at(use.item().to() - 1).end();
      tables.add(rows(use, columns.get(i)));
    }
    pieces.add(sql.substring(copied));
    return new ScatterStrategy.Finish(
        String.join(" UNION ALL ", asked),
        new GatheredTables(pieces, tables),
        analysis.fixedShards().stream().findFirst().orElse(-1),
        askedThere.toString());
  }

  /** {@code schema.table.column}: the rows in place of the table have no schema. */
  private boolean namesSchemas() {
    for (int i = 0; i + 4 < tokens.size(); i++) {
      boolean three =
          tokens.at(i).isName()
              && tokens.symbol(i + 1, ".")
              && tokens.at(i + 2).isName()
              && tokens.symbol(i + 3, ".");
      if (three) {
        return true;
      }
    }
    return false;
  }

  /** {@code *}, NATURAL, a table's name as a row, U&"name": the columns are not written out. */
  private boolean needsAllColumns(List<TableUse> uses) {
    for (int i = 0; i < tokens.size(); i++) {
      boolean other = tokens.at(i).kind() == TokenKind.OTHER_STRING;
      if (tokens.word(i, "natural") || other || isStar(i)) {
        return true;
      }
    }
    return uses.stream().anyMatch(use -> isUsedAsRow(use, uses));
  }

  private boolean isStar(int i) {
    if (!tokens.symbol(i, "*") && !tokens.at(i).text().equals("*")) {
      return false;
    }
    Token before = tokens.at(i - 1);
    return !tokens.symbol(i - 1, "(")
        && (before.kind() == TokenKind.PUNCTUATION
            || before.isWord("select")
            || before.isWord("distinct")
            || before.isWord("all"));
  }

  private boolean isUsedAsRow(TableUse use, List<TableUse> uses) {
    String name = use.item().visibleName();
    long declared = uses.stream().filter(u -> u.item().visibleName().equals(name)).count();
    for (int i = 0; i < tokens.size(); i++) {
      boolean bare = tokens.at(i).isName() && tokens.at(i).text().equals(name);
      if (bare && !tokens.symbol(i + 1, ".") && !tokens.symbol(i - 1, ".")) {
        declared--;
      }
    }
    return declared < 0;
  }

  /** Positions of the columns that the statement names. */
  private List<Integer> columns(TableUse use, boolean all) {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < use.relation().columns().size(); i++) {
      String name = use.relation().columns().get(i).name();
      boolean named = all;
      for (int t = 0; !named && t < tokens.size(); t++) {
        named = tokens.at(t).isName() && tokens.at(t).text().equals(name);
      }
      if (named) {
        columns.add(i);
      }
    }
    if (columns.isEmpty()) {
      columns.add(0); // a row must be there
    }
    return columns;
  }

  private static String column(TableUse use, int position) {
    String name = String.valueOf(use.relation().columns().get(position).name());
    return TableName.quoted(use.item().visibleName()) + "." + TableName.quoted(name);
  }

  private String from(TableUse use) {
    return " FROM " + tokens.text(use.item());
  }

  /** What a shard is asked for one table: the number of the table, and texts. */
  private String question(int number, TableUse use, List<Integer> columns, int width) {
    StringBuilder text = new StringBuilder("SELECT ").append(number);
    for (int position : columns) {
      String column = column(use, position);
      // Of char(n) a cast to text would take the blanks away.
      boolean padded = use.table().columns().get(position).typeOid() == PgType.BPCHAR.oid();
      text.append(", ")
          .append(
              padded
                  ? "CASE WHEN "
                      + column
                      + " IS NOT NULL THEN pg_catalog.concat("
                      + column
                      + ") END"
                  : column + "::pg_catalog.text");
    }
    text.append(", NULL::pg_catalog.text".repeat(width - columns.size())).append(from(use));
    List<String> conditions = conditions(use);
    return conditions.isEmpty()
        ? text.toString()
        : text.append(" WHERE ").append(String.join(" AND ", conditions)).toString();
  }

  private GatheredTables.GatheredTableRows rows(TableUse use, List<Integer> columns) {
    String list = RowSource.list(columns.size(), i -> column(use, columns.get(i)));
    String names =
        RowSource.list(
            columns.size(),
            i ->
                TableName.quoted(
                    String.valueOf(use.relation().columns().get(columns.get(i)).name())));
    return new GatheredTables.GatheredTableRows(
        "SELECT " + list + from(use) + " LIMIT 0",
        TableName.quoted(use.item().visibleName()) + " (" + names + ")",
        columns.stream().map(i -> use.table().columns().get(i).typeOid()).toList());
  }

  // ---- conditions on one table alone ----

  private List<String> conditions(TableUse use) {
    Core core = analysis.core(use.scope());
    List<String> conditions = new ArrayList<>();
    if (core == null || core.where() == null || !core.from().stream().allMatch(this::isInner)) {
      return conditions;
    }
    Expression where = core.where();
    for (Span conjunct : analyzer.predicates().conjuncts(where)) {
      boolean nested =
          where.nested().stream()
              .anyMatch(query -> query.open() < conjunct.to() && query.close() >= conjunct.from());
      if (!nested && isOf(use, conjunct)) {
        conditions.add("(" + tokens.text(conjunct) + ")");
      }
    }
    return conditions;
  }

  private boolean isInner(FromItem item) {
    return !(item instanceof JoinItem join)
        || (join.kind() == JoinKind.INNER && isInner(join.left()) && isInner(join.right()));
  }

  /** Whether a condition needs nothing but a row of that table. */
  @SuppressWarnings("ReferenceEquality") // the same column of the same table
  private boolean isOf(TableUse use, Span condition) {
    int i = condition.from();
    while (i < condition.to()) {
      int end = i + 1;
      if (tokens.at(i).isName() && !tokens.symbol(i - 1, "::")) {
        if (CallFacts.isCall(tokens, i)) {
          if (tokens.symbol(i - 1, ".") || !analyzer.tables().isImmutable(tokens.at(i).text())) {
            return false;
          }
        } else {
          end = tokens.afterName(i);
          Found found = analyzer.operands().column(Span.of(i, end), use.scope());
          boolean own = found != null && !found.outer() && has(use, found.output());
          if (!own && !(end == i + 1 && WORDS.contains(tokens.at(i).text()))) {
            return false;
          }
        }
      }
      i = end;
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // the same column of the same table
  private static boolean has(TableUse use, Scope.ScopeOutput output) {
    return use.relation().columns().stream().anyMatch(other -> other == output);
  }
}
