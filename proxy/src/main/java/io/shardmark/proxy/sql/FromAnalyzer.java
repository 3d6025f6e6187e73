package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.sql.Analysis.Fact;
import io.shardmark.proxy.sql.Placement.Split;
import io.shardmark.proxy.sql.Scope.Found;
import io.shardmark.proxy.sql.Scope.NamedQuery;
import io.shardmark.proxy.sql.Scope.Relation;
import io.shardmark.proxy.sql.Syntax.Alias;
import io.shardmark.proxy.sql.Syntax.DerivedItem;
import io.shardmark.proxy.sql.Syntax.FromItem;
import io.shardmark.proxy.sql.Syntax.FunctionItem;
import io.shardmark.proxy.sql.Syntax.JoinItem;
import io.shardmark.proxy.sql.Syntax.JoinKind;
import io.shardmark.proxy.sql.Syntax.QuerySyntax;
import io.shardmark.proxy.sql.Syntax.TableItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables of FROM: their columns, conditions of joins, and where their rows are. */
public record FromAnalyzer(Analyzer analyzer) {
  /** All items joined without conditions; adds their names to {@code scope}. Null if none. */
  @Nullable FromNode items(List<FromItem> items, Scope scope, List<Split> enclosing) {
    FromNode all = null;
    for (FromItem item : items) {
      FromNode node = item(item, scope, enclosing);
      all = all == null ? node : new FromNode.Join(JoinKind.INNER, all, node, new Equalities());
    }
    return all;
  }

  private FromNode item(FromItem item, Scope scope, List<Split> enclosing) {
    if (item instanceof JoinItem join) {
      return join(join, scope, enclosing);
    }
    if (item instanceof TableItem table) {
      return table(table, scope, enclosing);
    }
    if (item instanceof DerivedItem derived) {
      return derived(derived, scope, enclosing);
    }
    return function((FunctionItem) item, scope, enclosing);
  }

  private FromNode function(FunctionItem function, Scope scope, List<Split> enclosing) {
    analyzer.nested(function.call(), scope, enclosing);
    List<Scope.ScopeOutput> outputs = new ArrayList<>();
    for (String name : function.alias().columns()) {
      outputs.add(new Scope.ScopeOutput(name, null, false));
    }
    String given = function.alias().name();
    String name = given == null ? function.function() : given;
    // Names given may be fewer than there are: WITH ORDINALITY, rows of several columns.
    scope.add(new Relation(name, outputs, false));
    return new FromNode.Leaf(Placement.EVERYWHERE, Set.of());
  }

  private FromNode derived(DerivedItem derived, Scope scope, List<Split> enclosing) {
    // Without LATERAL the tables next to it are not visible, and names mean those further out.
    Scope visible = derived.lateral() ? scope : scope.withoutRelations();
    return query(derived.query(), derived.alias(), visible, scope, enclosing);
  }

  private FromNode query(
      QuerySyntax query, Alias alias, @Nullable Scope visible, Scope scope, List<Split> enclosing) {
    Block block = analyzer.inner(query, analyzer.query(query, visible, enclosing));
    List<Scope.ScopeOutput> outputs = new ArrayList<>();
    for (int i = 0; i < block.outputs().size(); i++) {
      Scope.ScopeOutput output = block.outputs().get(i);
      boolean renamed = i < alias.columns().size();
      outputs.add(
          new Scope.ScopeOutput(
              renamed ? alias.columns().get(i) : output.name(),
              output.variable(),
              output.byteOrdered()));
    }
    Relation relation = new Relation(alias.name(), outputs, block.complete());
    scope.add(relation);
    return new FromNode.Leaf(block.placement(), variables(relation));
  }

  private FromNode table(TableItem item, Scope scope, List<Split> enclosing) {
    NamedQuery named = item.schema() == null ? scope.named(item.name()) : null;
    if (named != null) {
      return named(named, item, scope, enclosing);
    }
    return table(item, scope);
  }

  private FromNode named(NamedQuery named, TableItem item, Scope scope, List<Split> enclosing) {
    Relation result = named.result();
    if (result != null) {
      scope.add(new Relation(item.visibleName(), result.columns(), result.complete()));
      return new FromNode.Leaf(Placement.EVERYWHERE, Set.of());
    }
    List<String> columns = new ArrayList<>(item.alias().columns());
    for (int i = columns.size(); i < named.cte().columns().size(); i++) {
      columns.add(named.cte().columns().get(i));
    }
    Alias alias = new Alias(item.visibleName(), columns);
    return query((QuerySyntax) named.cte().statement(), alias, named.definedIn(), scope, enclosing);
  }

  /** A table of the cluster, added to the scope. */
  FromNode table(TableItem item, Scope scope) {
    Analysis analysis = analyzer.analysis();
    Table table = analyzer.tables().find(item.schema(), item.name());
    if (table == null) {
      boolean plain = item.alias().columns().isEmpty();
      TableLookup.OneShardObject alone =
          analyzer.tables().alone(NameSpace.RELATIONS, item.schema(), item.name());
      if (alone != null) {
        analysis.addFixedShard(alone.shard());
        analysis.onlyOnOneShard("sequence " + item.name() + " is on one shard only");
      } else if (plain && analyzer.tables().isSequence(item.schema(), item.name())) {
        analysis.readsSequence(item);
      } else if (TableLookup.isCatalog(item.schema(), item.name())) {
        analysis.note(Fact.CATALOG);
      } else {
        String name = item.schema() == null ? item.name() : item.schema() + "." + item.name();
        analysis.refuse("relation \"" + name + "\" does not exist or is not known to the proxy");
      }
      scope.add(new Relation(item.visibleName(), List.of(), false));
      return new FromNode.Leaf(Placement.EVERYWHERE, Set.of());
    }
    if (analyzer.tokens().hasWord(item, "tablesample")) {
      analysis.referenceMayDiffer("which rows TABLESAMPLE leaves");
    }
    Relation relation = relation(item, table);
    scope.add(relation);
    if (table.sharding() instanceof Sharding.ByColumn
        || table.sharding() instanceof Sharding.OnShard) {
      analysis.reads(new Analysis.TableUse(item, table, relation, scope));
    }
    return new FromNode.Leaf(placement(table, relation), variables(relation));
  }

  private static Set<Variable> variables(Relation relation) {
    Set<Variable> variables = new HashSet<>();
    for (Scope.ScopeOutput output : relation.columns()) {
      if (output.variable() != null) {
        variables.add(output.variable());
      }
    }
    return variables;
  }

  private static Relation relation(TableItem item, Table table) {
    List<Scope.ScopeOutput> outputs = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      KeyType type = Scope.keyType(column.typeOid());
      List<String> renamed = item.alias().columns();
      outputs.add(
          new Scope.ScopeOutput(
              i < renamed.size() ? renamed.get(i) : column.name(),
              type == null ? null : new Variable(type),
              column.byteOrdered()));
    }
    return new Relation(item.visibleName(), outputs, true);
  }

  private Placement placement(Table table, Relation relation) {
    Analysis analysis = analyzer.analysis();
    if (table.sharding() instanceof Sharding.ByColumn sharding) {
      Variable key = key(table, sharding, relation);
      if (key == null) {
        analysis.refuse("table " + table.name() + " has no usable column " + sharding.column());
        return Placement.EVERYWHERE;
      }
      analysis.add(new Analysis.Instance(table, sharding, key, Target.KeyUse.COMPARED));
      return new Split(sharding, Set.of(key), null);
    }
    if (table.sharding() instanceof Sharding.OnShard on) {
      analysis.addFixedShard(on.shard());
      analysis.onlyOnOneShard("table " + table.name() + " is on one shard only");
    } else if (table.sharding() instanceof Sharding.Unroutable unroutable) {
      analysis.refuse("table " + table.name() + " " + unroutable.reason());
    } else {
      analysis.usesReference(table);
    }
    return Placement.EVERYWHERE;
  }

  private static @Nullable Variable key(
      Table table, Sharding.ByColumn sharding, Relation relation) {
    for (int i = 0; i < table.columns().size(); i++) {
      if (table.columns().get(i).name().equals(sharding.column())) {
        return relation.columns().get(i).variable();
      }
    }
    return null;
  }

  private FromNode join(JoinItem join, Scope scope, List<Split> enclosing) {
    int before = scope.relations().size();
    FromNode left = item(join.left(), scope, enclosing);
    int middle = scope.relations().size();
    FromNode right = item(join.right(), scope, enclosing);
    Set<Variable> constrained = new HashSet<>();
    if (join.kind() == JoinKind.INNER || join.kind() == JoinKind.LEFT) {
      constrained.addAll(right.variables());
    }
    if (join.kind() == JoinKind.INNER || join.kind() == JoinKind.RIGHT) {
      constrained.addAll(left.variables());
    }
    Equalities on = new Equalities();
    if (join.on() != null) {
      analyzer.predicates().apply(join.on(), scope, constrained::contains, on);
      analyzer.nested(join.on(), scope, List.of());
    }
    List<Relation> all = scope.relations();
    List<Relation> ofLeft = List.copyOf(all.subList(before, middle));
    List<Relation> ofRight = List.copyOf(all.subList(middle, all.size()));
    for (String column : join.natural() ? common(ofLeft, ofRight) : join.using()) {
      using(column, join.kind(), scope, new Sides(ofLeft, ofRight, constrained, on));
    }
    return new FromNode.Join(join.kind(), left, right, on);
  }

  private record Sides(
      List<Relation> left, List<Relation> right, Set<Variable> constrained, Equalities on) {}

  private void using(String column, JoinKind kind, Scope scope, Sides sides) {
    Scope.ScopeOutput left = Scope.only(sides.left(), column);
    Scope.ScopeOutput right = Scope.only(sides.right(), column);
    if (left != null && right != null) {
      analyzer
          .predicates()
          .link(
              new Found(left, false),
              new Found(right, false),
              sides.constrained()::contains,
              sides.on());
    }
    Scope.ScopeOutput merged = kind == JoinKind.RIGHT ? right : left;
    if (merged == null || kind == JoinKind.FULL) {
      merged = new Scope.ScopeOutput(column, null, false);
    }
    scope.merge(column, merged);
  }

  /** The columns of a NATURAL join. */
  private static List<String> common(List<Relation> left, List<Relation> right) {
    List<String> names = new ArrayList<>();
    for (Relation relation : left) {
      for (Scope.ScopeOutput output : relation.columns()) {
        if (output.name() != null && Scope.only(right, output.name()) != null) {
          names.add(output.name());
        }
      }
    }
    return names;
  }
}
