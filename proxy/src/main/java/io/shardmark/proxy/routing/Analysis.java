package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Scope.Relation;
import io.shardmark.proxy.routing.Syntax.Core;
import io.shardmark.proxy.routing.Syntax.TableItem;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What was found out about a statement's tables. Filled while it is analysed. */
final class Analysis {
  /**
   * A sharded table at one place of the statement.
   *
   * @param use whether it is read there, or gets rows
   */
  record Instance(Table table, Sharding.ByColumn sharding, Variable key, Target.KeyUse use) {}

  /** A sharded table that is read, where it stands in FROM. */
  record TableUse(TableItem item, Table table, Relation relation, Scope scope) {}

  /** What a statement does somewhere. */
  enum Fact {
    /** Reads a catalog. */
    CATALOG,
    /** Changes rows. */
    CHANGES,
    /** Locks rows. */
    LOCKS,
    /** The plan depends on a literal that is not a key: it is good for this text only. */
    LITERALS_MATTER
  }

  private final List<TableUse> uses = new ArrayList<>();
  private final Map<Scope, Core> cores = new HashMap<>();
  private final List<Instance> instances = new ArrayList<>();
  private final Set<Integer> fixedShards = new TreeSet<>();
  private final Set<TableName> references = new LinkedHashSet<>();
  private final Set<TableName> changedReferences = new LinkedHashSet<>();
  private final Set<Fact> facts = EnumSet.noneOf(Fact.class);
  private @Nullable String unroutable;
  private @Nullable String scatterObstacle;
  private @Nullable String differing;

  void note(Fact fact) {
    facts.add(fact);
  }

  boolean has(Fact fact) {
    return facts.contains(fact);
  }

  void reads(TableUse use) {
    boolean again = uses.stream().anyMatch(other -> other.item().from() == use.item().from());
    if (!again) { // a query of WITH is looked at for each of its uses
      uses.add(use);
    }
  }

  /** In the order of the text. */
  List<TableUse> uses() {
    return uses.stream().sorted(Comparator.comparingInt(use -> use.item().from())).toList();
  }

  void hasScope(Core core, Scope scope) {
    cores.put(scope, core);
  }

  /** The SELECT whose tables the scope has; null if it is none. */
  @Nullable Core core(Scope scope) {
    return cores.get(scope);
  }

  void add(Instance instance) {
    instances.add(instance);
  }

  List<Instance> instances() {
    return instances;
  }

  void addFixedShard(int shard) {
    fixedShards.add(shard);
  }

  Set<Integer> fixedShards() {
    return fixedShards;
  }

  void usesReference(TableName table) {
    references.add(table);
  }

  boolean referenceUsed() {
    return !references.isEmpty();
  }

  /** The tables on every shard that are read or changed, in one order for all statements. */
  List<TableName> referencesAndChanged() {
    Set<TableName> all = new LinkedHashSet<>(references);
    all.addAll(changedReferences);
    return all.stream().sorted(Comparator.comparing(TableName::toString)).toList();
  }

  void changesReference(TableName table) {
    changedReferences.add(table);
  }

  boolean referenceChanged() {
    return !changedReferences.isEmpty();
  }

  /** Something in a change of a reference table that may differ between shards. */
  void referenceMayDiffer(@Nullable String what) {
    differing = differing == null ? what : differing;
  }

  @Nullable String differing() {
    return differing;
  }

  /** No shard alone can tell, for whatever keys: a sentence. */
  void refuse(String why) {
    if (unroutable == null) {
      unroutable = why;
    }
  }

  @Nullable String unroutable() {
    return unroutable;
  }

  /** Several shards cannot answer it together; one can. The first reason counts. */
  void onlyOnOneShard(String why) {
    if (scatterObstacle == null) {
      scatterObstacle = why;
    }
  }

  @Nullable String scatterObstacle() {
    return scatterObstacle;
  }
}
