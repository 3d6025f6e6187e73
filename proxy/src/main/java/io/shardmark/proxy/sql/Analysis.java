package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Scope.Relation;
import io.shardmark.proxy.sql.Syntax.Core;
import io.shardmark.proxy.sql.Syntax.TableItem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What was found out about a statement's tables. Filled while it is analysed. */
public final class Analysis {
  /**
   * A sharded table at one place of the statement.
   *
   * @param use whether it is read there, or gets rows
   */
  public record Instance(
      Table table, Sharding.ByColumn sharding, Variable key, Target.KeyUse use) {}

  /** A sharded table, or one of one shard, that is read, at its place in FROM. */
  public record TableUse(TableItem item, Table table, Relation relation, Scope scope) {}

  /** What a statement does somewhere. */
  public enum Fact {
    /** Reads a catalog. */
    CATALOG,
    /** Changes rows. */
    CHANGES,
    /** Locks rows. */
    LOCKS,
    /** The plan depends on a literal that is not a key: it is good for this text only. */
    LITERALS_MATTER
  }

  private final List<TableItem> sequences = new ArrayList<>();
  private final List<TableUse> uses = new ArrayList<>();
  private final Map<Scope, Core> cores = new HashMap<>();
  private final List<Instance> instances = new ArrayList<>();
  private final Set<Integer> fixedShards = new TreeSet<>();
  private final Set<TableName> references = new LinkedHashSet<>();
  private final Set<TableName> notLockable = new HashSet<>();
  private final Set<TableName> changedReferences = new LinkedHashSet<>();
  private final Set<Fact> facts = EnumSet.noneOf(Fact.class);
  private @Nullable String unroutable;
  private @Nullable String scatterObstacle;
  private @Nullable String differing;
  private @Nullable String reaction;

  public void note(Fact fact) {
    facts.add(fact);
  }

  public boolean has(Fact fact) {
    return facts.contains(fact);
  }

  void reads(TableUse use) {
    boolean again = uses.stream().anyMatch(other -> other.item().from() == use.item().from());
    if (!again) { // a query of WITH is looked at for each of its uses
      uses.add(use);
    }
  }

  void readsSequence(TableItem item) {
    sequences.add(item);
  }

  /** Sequences that are read as tables: each shard has its part of their numbers. */
  public List<TableItem> sequences() {
    return sequences;
  }

  /** In the order of the text. */
  public List<TableUse> uses() {
    return uses.stream().sorted(Comparator.comparingInt(use -> use.item().from())).toList();
  }

  void hasScope(Core core, Scope scope) {
    cores.put(scope, core);
  }

  /** The SELECT whose tables the scope has; null if it is invalid. */
  public @Nullable Core core(Scope scope) {
    return cores.get(scope);
  }

  void add(Instance instance) {
    instances.add(instance);
  }

  public List<Instance> instances() {
    return instances;
  }

  public void addFixedShard(int shard) {
    fixedShards.add(shard);
  }

  public Set<Integer> fixedShards() {
    return fixedShards;
  }

  void usesReference(Table table) {
    references.add(table.name());
    if (!table.lockable()) {
      notLockable.add(table.name());
    }
  }

  public boolean referenceUsed() {
    return !references.isEmpty();
  }

  /** Those to lock of the tables on every shard that are read or changed, always in one order. */
  public List<TableName> referencesAndChanged() {
    Set<TableName> all = new LinkedHashSet<>(references);
    all.addAll(changedReferences);
    all.removeAll(notLockable);
    return all.stream().sorted(Comparator.comparing(TableName::toString)).toList();
  }

  void changesReference(TableName table) {
    changedReferences.add(table);
  }

  public boolean referenceChanged() {
    return !changedReferences.isEmpty();
  }

  /** Something in a change of a reference table that may differ between shards. */
  void referenceMayDiffer(@Nullable String what) {
    differing = differing == null ? what : differing;
  }

  public @Nullable String differing() {
    return differing;
  }

  /** What each shard does for itself when its copy is changed, beyond that change. */
  void referenceReacts(@Nullable String what) {
    reaction = reaction == null ? what : reaction;
  }

  public @Nullable String reaction() {
    return reaction;
  }

  /** No shard alone can answer, for whatever keys: a sentence. */
  void refuse(String why) {
    if (unroutable == null) {
      unroutable = why;
    }
  }

  public @Nullable String unroutable() {
    return unroutable;
  }

  /** Several shards cannot answer it together; one can. The first reason counts. */
  void onlyOnOneShard(String why) {
    if (scatterObstacle == null) {
      scatterObstacle = why;
    }
  }

  public @Nullable String scatterObstacle() {
    return scatterObstacle;
  }
}
