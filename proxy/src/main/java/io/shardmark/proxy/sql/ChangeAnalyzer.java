package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.sql.Analysis.Fact;
import io.shardmark.proxy.sql.Placement.Split;
import io.shardmark.proxy.sql.Scope.Found;
import io.shardmark.proxy.sql.Scope.Relation;
import io.shardmark.proxy.sql.Syntax.Assignment;
import io.shardmark.proxy.sql.Syntax.Cte;
import io.shardmark.proxy.sql.Syntax.Delete;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.FromItem;
import io.shardmark.proxy.sql.Syntax.Insert;
import io.shardmark.proxy.sql.Syntax.JoinKind;
import io.shardmark.proxy.sql.Syntax.Statement;
import io.shardmark.proxy.sql.Syntax.TableItem;
import io.shardmark.proxy.sql.Syntax.Update;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** INSERT, UPDATE and DELETE: the rows they change are tables' instances too. */
public final class ChangeAnalyzer {
  private final Analyzer analyzer;
  private final Analysis analysis;

  public ChangeAnalyzer(Analyzer analyzer) {
    this.analyzer = analyzer;
    this.analysis = analyzer.analysis();
  }

  /**
   * What a change was found to be.
   *
   * @param table null if it is not known
   * @param rows where the changed rows are
   * @param rowKeys for INSERT ... VALUES into a sharded table the key of each row; null otherwise
   * @param sourceColumns of the query of an INSERT into a reference table; -1 if not certain
   */
  public record AnalyzedChange(
      @Nullable Table table,
      Scope scope,
      Placement rows,
      @Nullable List<KeyExpression> rowKeys,
      int sourceColumns) {
    AnalyzedChange(
        @Nullable Table table, Scope scope, Placement rows, @Nullable List<KeyExpression> rowKeys) {
      this(table, scope, rows, rowKeys, -1);
    }
  }

  /** In WITH: the rows of RETURNING. */
  Relation nested(Cte cte, @Nullable Scope parent) {
    AnalyzedChange change = change(cte.statement(), parent);
    List<Syntax.SyntaxItem> returning = List.of();
    if (cte.statement() instanceof Update update) {
      returning = update.returning();
    } else if (cte.statement() instanceof Delete delete) {
      returning = delete.returning();
    }
    List<Scope.ScopeOutput> outputs = new ArrayList<>();
    boolean complete = !returning.isEmpty();
    for (int i = 0; i < returning.size(); i++) {
      Syntax.SyntaxItem item = returning.get(i);
      Found column = analyzer.operands().column(item.expression(), change.scope());
      complete &= column != null || item.label() != null;
      String label = item.label() == null && column != null ? column.output().name() : item.label();
      String name = i < cte.columns().size() ? cte.columns().get(i) : label;
      outputs.add(new Scope.ScopeOutput(name, result(column), false));
    }
    return new Relation(null, outputs, complete);
  }

  /** What RETURNING gives has the value of the changed row; nothing is implied for that row. */
  private static @Nullable Variable result(@Nullable Found column) {
    Variable inner = column == null || column.outer() ? null : column.variable();
    if (inner == null) {
      return null;
    }
    Variable result = new Variable(inner.type());
    inner.implies(result);
    return result;
  }

  public AnalyzedChange change(Statement statement, @Nullable Scope parent) {
    AnalyzedChange change = changeOf(statement, parent);
    analysis.note(Fact.CHANGES);
    Table table = change.table();
    if (table != null && table.sharding() instanceof Sharding.Reference) {
      analysis.changesReference(table.name());
      int width = width(statement, change);
      ReferenceChange copies = new ReferenceChange(analyzer.tokens(), table);
      analysis.referenceReacts(copies.reaction(statement, width));
      analysis.referenceMayDiffer(copies.filling(statement, width));
    }
    return change;
  }

  /** How many columns an INSERT gives; -1 if that is not certain. */
  private static int width(Statement statement, AnalyzedChange change) {
    if (statement instanceof Insert insert && insert.source() != null) {
      if (insert.source().body() instanceof Syntax.RowsSyntax rows) {
        return rows.rows().stream().mapToInt(List::size).min().orElse(0);
      }
      return change.sourceColumns();
    }
    return -1;
  }

  private AnalyzedChange changeOf(Statement statement, @Nullable Scope parent) {
    if (statement instanceof Insert insert) {
      return insert(insert, new Scope(analyzer.with(insert.with(), parent)));
    }
    if (statement instanceof Update update) {
      return update(update, new Scope(analyzer.with(update.with(), parent)));
    }
    Delete delete = (Delete) statement;
    Scope scope = new Scope(analyzer.with(delete.with(), parent));
    Table table = analyzer.tables().find(delete.target().schema(), delete.target().name());
    Placement rows = changed(delete.target(), delete.using(), delete.where(), scope);
    List<Split> here = CoreAnalyzer.inside(rows, List.of());
    delete.returning().forEach(item -> analyzer.nested(item.expression(), scope, here));
    return new AnalyzedChange(table, scope, rows, null);
  }

  private AnalyzedChange update(Update update, Scope scope) {
    Table table = analyzer.tables().find(update.target().schema(), update.target().name());
    Placement rows = changed(update.target(), update.from(), update.where(), scope);
    List<Split> here = CoreAnalyzer.inside(rows, List.of());
    for (Assignment assignment : update.assignments()) {
      keyChange(table, assignment, scope);
      analyzer.nested(assignment.value(), scope, here);
      typed(table, assignment);
    }
    update.returning().forEach(item -> analyzer.nested(item.expression(), scope, here));
    return new AnalyzedChange(table, scope, rows, null);
  }

  /** A parameter that is assigned to a column has the column's type. */
  private void typed(@Nullable Table table, Assignment assignment) {
    KeyType type =
        table == null || assignment.columns().size() != 1
            ? null
            : columnType(table, assignment.columns().get(0));
    if (type != null) {
      analyzer.operands().value(assignment.value(), type);
    }
  }

  private static @Nullable KeyType columnType(Table table, String name) {
    for (Column column : table.columns()) {
      if (column.name().equals(name)) {
        return Scope.keyType(column.typeOid());
      }
    }
    return null;
  }

  /** A row stays where it is if its key does, or gets a value that belongs to the same shard. */
  private void keyChange(@Nullable Table table, Assignment assignment, Scope scope) {
    Expression value = assignment.value();
    if (table != null
        && table.sharding() instanceof Sharding.ByColumn sharding
        && assignment.columns().equals(List.of(sharding.column()))) {
      Found column = analyzer.operands().column(value, scope);
      boolean itself =
          column != null
              && scope.relations().get(0).columns().contains(column.output())
              && sharding.column().equals(column.output().name());
      KeyExpression key = analyzer.operands().value(value, sharding.keyType());
      if (itself) {
        return;
      }
      if (key != null && !key.equals(new KeyExpression.Constant(null))) {
        Variable stored = new Variable(sharding.keyType());
        stored.pin(List.of(key));
        analysis.add(new Analysis.Instance(table, sharding, stored, Target.KeyUse.STORED));
        analysis.onlyOnOneShard(moves(table, sharding));
        return;
      }
    }
    refuseKeyChange(table, assignment.columns());
  }

  private static String moves(Table table, Sharding.ByColumn sharding) {
    return "the sharding column "
        + sharding.column()
        + " of table "
        + table.name()
        + " cannot be updated: the row would have to move to another shard";
  }

  private void refuseKeyChange(@Nullable Table table, List<String> columns) {
    if (table != null
        && table.sharding() instanceof Sharding.ByColumn sharding
        && columns.contains(sharding.column())) {
      analysis.refuse(moves(table, sharding));
    }
    if (table != null
        && table.sharding() instanceof Sharding.OnShard on
        && on.uncheckedKey().filter(columns::contains).isPresent()) {
      analysis.refuse(Table.unchecked(table.name()));
    }
  }

  /** The target's rows that satisfy the conditions with rows of the other tables. */
  private Placement changed(
      TableItem target, List<FromItem> others, @Nullable Expression where, Scope scope) {
    FromNode node = analyzer.from().table(target, scope);
    FromNode joined = analyzer.from().items(others, scope, List.of());
    FromNode all =
        joined == null ? node : new FromNode.Join(JoinKind.INNER, node, joined, new Equalities());
    return new CoreAnalyzer(analyzer).rows(all, where, scope, List.of());
  }

  private AnalyzedChange insert(Insert insert, Scope scope) {
    Table table = analyzer.tables().find(insert.target().schema(), insert.target().name());
    if (table == null) {
      analyzer.from().table(insert.target(), scope); // says why it cannot be
      return new AnalyzedChange(null, scope, Placement.EVERYWHERE, null);
    }
    refuseKeyChange(table, insert.conflictColumns());
    if (table.sharding() instanceof Sharding.OnShard on && on.uncheckedKey().isPresent()) {
      analysis.refuse(Table.unchecked(table.name()));
    }
    if (!(table.sharding() instanceof Sharding.ByColumn sharding)) {
      Block source = source(insert, scope);
      analyzer.from().table(insert.target(), scope);
      analyzer.nested(insert.rest(), scope, List.of());
      return source == null
          ? new AnalyzedChange(table, scope, Placement.EVERYWHERE, null)
          : new AnalyzedChange(
              table,
              scope,
              source.placement(),
              null,
              source.complete() ? source.outputs().size() : -1);
    }
    if (ReferenceChange.overridesUserValue(analyzer.tokens(), insert)) {
      analysis.refuse("OVERRIDING USER VALUE may put another value into the sharding column");
    }
    int key = keyPosition(insert, table, sharding);
    if (key < 0) {
      analysis.refuse(
          "INSERT into "
              + table.name()
              + " gives no value for its sharding column "
              + sharding.column());
    }
    AnalyzedChange change =
        insert.source() != null && insert.source().body() instanceof Syntax.RowsSyntax rows
            ? insertRows(insert, table, rows, key, scope)
            : insertQuery(insert, table, sharding, key, scope);
    analyzer.nested(insert.rest(), scope, CoreAnalyzer.inside(change.rows(), List.of()));
    return change;
  }

  private @Nullable Block source(Insert insert, Scope names) {
    return insert.source() == null
        ? null
        : analyzer.inner(insert.source(), analyzer.query(insert.source(), names, List.of()));
  }

  /** Position of the sharding column among the inserted ones; -1 if it is not among them. */
  private static int keyPosition(Insert insert, Table table, Sharding.ByColumn sharding) {
    return insert.source() == null ? -1 : insert.columns(table).indexOf(sharding.column());
  }

  private AnalyzedChange insertRows(
      Insert insert, Table table, Syntax.RowsSyntax rows, int key, Scope names) {
    Sharding.ByColumn sharding = (Sharding.ByColumn) table.sharding();
    Scope scope = new Scope(names);
    List<KeyExpression> keys = new ArrayList<>();
    boolean computed = false;
    for (List<Expression> row : rows.rows()) {
      for (Expression expression : row) {
        analyzer.nested(expression, scope, List.of());
      }
      KeyExpression value = null;
      if (key >= 0 && key < row.size()) {
        value = analyzer.operands().value(row.get(key), sharding.keyType());
      }
      if (value != null && value.equals(new KeyExpression.Constant(null))) {
        analysis.note(Fact.LITERALS_MATTER); // NULL has its own place, and is no literal of a shape
      }
      if (value == null) {
        computed = true;
        analysis.onlyOnOneShard(
            "the value of the sharding column "
                + sharding.column()
                + " of table "
                + table.name()
                + " is neither a constant nor a parameter");
      } else {
        keys.add(value);
      }
      typedRow(insert, table, row);
    }
    Variable variable = new Variable(sharding.keyType());
    if (!computed) {
      variable.pin(keys);
    }
    analysis.add(new Analysis.Instance(table, sharding, variable, Target.KeyUse.STORED));
    return new AnalyzedChange(table, scope, Placement.EVERYWHERE, computed ? null : keys);
  }

  /** Parameters in VALUES have their columns' types. */
  private void typedRow(Insert insert, Table table, List<Expression> row) {
    List<String> columns = insert.columns(table);
    for (int i = 0; i < Math.min(row.size(), columns.size()); i++) {
      KeyType type = columnType(table, columns.get(i));
      if (type != null) {
        analyzer.operands().value(row.get(i), type);
      }
    }
  }

  /** INSERT ... SELECT: the key is a column of the query, or a value in its select list. */
  private AnalyzedChange insertQuery(
      Insert insert, Table table, Sharding.ByColumn sharding, int key, Scope names) {
    Scope scope = new Scope(names);
    if (insert.source() == null) {
      return new AnalyzedChange(table, scope, Placement.EVERYWHERE, null);
    }
    Block block =
        analyzer.inner(insert.source(), analyzer.query(insert.source(), names, List.of()));
    Variable target = new Variable(sharding.keyType());
    analysis.add(new Analysis.Instance(table, sharding, target, Target.KeyUse.STORED));
    KeyExpression value = constantKey(block, sharding, key);
    if (value != null) {
      target.pin(List.of(value));
      analysis.onlyOnOneShard("INSERT ... SELECT gives one key to rows of several shards");
      return new AnalyzedChange(table, scope, block.placement(), null);
    }
    Variable source = null;
    if (block.complete() && key >= 0 && key < block.outputs().size()) {
      source = block.outputs().get(key).variable();
    }
    if (source != null) {
      source.implies(target);
    }
    boolean together =
        source != null
            && block.placement() instanceof Split split
            && split.unlessAnchored() == null
            && split.carriers().contains(source)
            && split.sharding().keyType() == sharding.keyType()
            && split.sharding().rule().equals(sharding.rule());
    if (!together) {
      analysis.onlyOnOneShard(
          "INSERT ... SELECT takes the sharding column "
              + sharding.column()
              + " of "
              + table.name()
              + " from something else than the sharding column of its source");
    }
    return new AnalyzedChange(table, scope, block.placement(), null);
  }

  private @Nullable KeyExpression constantKey(Block block, Sharding.ByColumn sharding, int key) {
    if (block.facts() == null || key < 0) {
      return null;
    }
    List<Syntax.SyntaxItem> items = block.facts().core().items();
    for (int i = 0; i <= key && i < items.size(); i++) {
      if (new CoreAnalyzer(analyzer).star(items.get(i)) != null) {
        return null;
      }
    }
    if (key >= items.size()) {
      return null;
    }
    KeyExpression value =
        analyzer.operands().value(items.get(key).expression(), sharding.keyType());
    boolean isNull = value != null && value.equals(new KeyExpression.Constant(null));
    return isNull ? null : value;
  }
}
