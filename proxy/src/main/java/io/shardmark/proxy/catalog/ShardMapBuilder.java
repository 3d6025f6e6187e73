package io.shardmark.proxy.catalog;

import io.shardmark.proxy.catalog.CatalogTable.CatalogColumn;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.DeclaredSharding;
import io.shardmark.proxy.shardmap.HashRule;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.LimitedTextRule;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.ShardSet;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.StartValues;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * From what each shard's catalog says to the one shard map. Pure. A table that is not understood
 * becomes unroutable: its statements are refused rather than answered wrongly.
 */
final class ShardMapBuilder {
  private static final Comparator<TableName> BY_NAME =
      Comparator.comparing(TableName::schema).thenComparing(TableName::name);
  private static final Set<String> INTEGERS = Set.of("smallint", "integer", "bigint");
  private static final Pattern LIMITED = Pattern.compile("character varying\\((\\d+)\\)");

  private final List<String> shards;
  private final List<Optional<ShardCatalog>> catalogs;
  private final List<Integer> unread = new ArrayList<>();
  private final DeclaredSharding configured;
  private final Set<String> matched = new HashSet<>();
  private final Map<TableName, TablePresence> presences = new TreeMap<>(BY_NAME);
  private final Map<TableName, List<TablePresence>> partitions = new HashMap<>();
  private final Map<TableName, Sharding> shardings = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * @param catalogs by shard index; empty for a shard that could not be read yet
   * @param sharding {@code table} or {@code schema.table} to column, for unpartitioned tables
   */
  ShardMapBuilder(
      List<String> shards, List<Optional<ShardCatalog>> catalogs, Map<String, String> sharding) {
    this.shards = shards;
    this.catalogs = catalogs;
    this.configured = new DeclaredSharding(sharding);
    for (int shard = 0; shard < shards.size(); shard++) {
      if (catalogs.get(shard).isEmpty()) {
        unread.add(shard);
      }
    }
  }

  CatalogReading build(long version) {
    collect();
    presences.values().stream()
        .filter(presence -> !presence.isPartition() && !presence.isView())
        .forEach(this::placeRoot);
    // Partitions whose parent is not known anywhere as such: attached on one shard, alone on
    // another.
    presences.values().stream()
        .filter(presence -> presence.isPartition() && !shardings.containsKey(presence.name()))
        .forEach(
            presence -> unroutable(presence, "is a partition on one shard and not on another"));
    presences.values().stream().filter(TablePresence::isView).forEach(this::placeView);
    configured.columns().keySet().stream()
        .filter(name -> !matched.contains(name))
        .sorted()
        .map(name -> name + " is named under sharding, but no shard has such a table")
        .forEach(problems::add);
    Map<TableName, Table> tables = new HashMap<>();
    presences.forEach(
        (name, presence) ->
            tables.put(
                name,
                new Table(
                    name,
                    shardings.getOrDefault(name, new Sharding.Reference()),
                    presence.columns(),
                    reactions(presence),
                    presence.first().kind() != CatalogTable.TableKind.MATERIALIZED_VIEW)));
    return new CatalogReading(
        new ShardMap(
            shards,
            tables,
            Map.of(
                NameSpace.RELATIONS,
                names(ShardCatalog::others),
                NameSpace.STATISTICS,
                names(catalog -> catalog.rows().statistics())),
            sequences(),
            bare(),
            schemas(),
            version),
        problems);
  }

  /** Those of the first shard: DDL makes them on all. */
  private Schemas schemas() {
    List<Schemas> all =
        catalogs.stream().flatMap(Optional::stream).map(ShardCatalog::schemas).toList();
    if (all.isEmpty()) {
      return Schemas.NONE;
    }
    Schemas first = all.get(0);
    for (Schemas other : all) {
      if (!describe(other).equals(describe(first))) {
        problems.add(
            "parameters are set otherwise for roles or the database on one shard than on another:"
                + " %s and %s; the first shard's count"
                    .formatted(describe(first), describe(other)));
        break;
      }
    }
    return first;
  }

  /** What is set; databases' time zones are compared at start, with other facts of theirs. */
  private static String describe(Schemas schemas) {
    StartValues values = schemas.startValues();
    Map<String, String> ofRole = new TreeMap<>();
    values.ofRole().forEach((role, own) -> ofRole.put(role, new TreeMap<>(own).toString()));
    Map<String, String> usual = new TreeMap<>(values.usual());
    usual.remove("timezone");
    usual.entrySet().removeAll(StartValues.OF_CONNECTIONS.entrySet());
    return usual + " " + ofRole;
  }

  /** Partitioned tables that have no partition yet, with their key. */
  private Map<TableName, String> bare() {
    Map<TableName, String> bare = new HashMap<>();
    for (TablePresence presence : presences.values()) {
      if (presence.first().kind() == CatalogTable.TableKind.PARTITIONED
          && children(presence.name()).isEmpty()) {
        List<String> key = presence.first().key().orElseThrow().columns();
        if (key.size() == 1) {
          bare.put(presence.name(), key.get(0));
        }
      }
    }
    return bare;
  }

  /** Which of several shards have what. */
  private Map<TableName, ShardSet> names(Function<ShardCatalog, Set<TableName>> names) {
    Map<TableName, ShardSet> shardsOf = new HashMap<>();
    for (int shard = 0; shard < catalogs.size() && shards.size() > 1; shard++) {
      for (TableName name : catalogs.get(shard).map(names).orElse(Set.of())) {
        shardsOf.put(name, shardsOf.getOrDefault(name, ShardSet.EMPTY).with(shard));
      }
    }
    return shardsOf;
  }

  /** What every shard has. */
  private Set<TableName> sequences() {
    List<ShardCatalog> read = catalogs.stream().flatMap(Optional::stream).toList();
    Set<TableName> everywhere = new HashSet<>();
    read.stream().limit(1).forEach(catalog -> everywhere.addAll(catalog.sequences()));
    read.forEach(catalog -> everywhere.retainAll(catalog.sequences()));
    return everywhere;
  }

  /** Also those of its partitions; a view does what its tables do. */
  private Set<RowChange> reactions(TablePresence presence) {
    Set<RowChange> reactions = EnumSet.noneOf(RowChange.class);
    reactions.addAll(presence.reactions());
    if (presence.isView()) {
      for (CatalogTable view : presence.copies()) {
        tablesBehind(view, new TreeSet<>(BY_NAME)).forEach(used -> addReactions(used, reactions));
      }
    }
    if (presence.first().kind() == CatalogTable.TableKind.PARTITIONED) {
      children(presence.name()).forEach(child -> reactions.addAll(reactions(child)));
    }
    return reactions;
  }

  private void addReactions(TableName used, Set<RowChange> reactions) {
    TablePresence presence = presences.get(used);
    if (presence == null) {
      return;
    }
    reactions.addAll(reactions(presence));
    // Which of the table's columns a view leaves out is not known.
    boolean filled =
        presence.columns().stream()
            .map(Column::filling)
            .anyMatch(f -> f == Column.Filling.MAY_DIFFER || f == Column.Filling.MAY_WRITE);
    if (filled) {
      reactions.add(RowChange.INSERT);
    }
  }

  private void collect() {
    for (int shard = 0; shard < catalogs.size(); shard++) {
      int index = shard;
      catalogs
          .get(shard)
          .ifPresent(
              catalog ->
                  catalog
                      .tables()
                      .forEach(
                          (name, table) ->
                              presences
                                  .computeIfAbsent(
                                      name, n -> new TablePresence(n, shards, new TreeMap<>()))
                                  .on()
                                  .put(index, table)));
    }
    for (TablePresence presence : presences.values()) {
      presence.copies().stream()
          .flatMap(table -> table.parent().stream())
          .distinct()
          .forEach(
              parent -> partitions.computeIfAbsent(parent, p -> new ArrayList<>()).add(presence));
    }
  }

  private int readCount() {
    return shards.size() - unread.size();
  }

  private boolean everywhere(TablePresence presence) {
    return presence.on().size() == readCount();
  }

  private void placeRoot(TablePresence presence) {
    try {
      place(presence.name(), root(presence));
    } catch (UnroutableException e) {
      unroutable(presence, String.valueOf(e.getMessage()));
    }
  }

  private Sharding root(TablePresence presence) throws UnroutableException {
    Optional<String> column = configured.column(presence.name());
    configured.nameOf(presence.name()).ifPresent(matched::add);
    if (shards.size() == 1 && column.isEmpty()) {
      return new Sharding.Reference();
    }
    presence.checkAlike();
    if (presence.first().kind() == CatalogTable.TableKind.FOREIGN) {
      throw new UnroutableException("is a foreign table");
    }
    if (presence.first().ofOneShard() && presence.on().size() == 1) {
      return new Sharding.OnShard(presence.on().firstKey(), true);
    }
    if (!everywhere(presence) || presence.first().ofOneShard()) {
      // Perhaps being created just now: a statement sent to some shards only could never be mended.
      throw new UnroutableException("is " + presence.onShards() + " only");
    }
    if (column.isPresent()) {
      KeyType type = keyType(presence, column.get());
      checkTriggers(presence, column.get());
      return sharding(presence, column.get(), type, HashRule.oneRemainderPerShard(shards.size()));
    }
    return presence.first().kind() == CatalogTable.TableKind.PARTITIONED
        ? partitioned(presence)
        : new Sharding.Reference();
  }

  /**
   * No partition's bounds are there to stop a trigger from storing a row where it does not belong.
   */
  private void checkTriggers(TablePresence presence, String column) throws UnroutableException {
    if (shards.size() == 1) {
      return;
    }
    for (CatalogTable table : presence.copies()) {
      if (table.rowTrigger().isPresent()) {
        throw new UnroutableException(
            "has the trigger %s, which may change the sharding column %s of rows that are on their"
                    .formatted(table.rowTrigger().get(), column)
                + " shard already; declare its function IMMUTABLE if it leaves that column alone");
      }
    }
    for (TablePresence child : children(presence.name())) {
      checkTriggers(child, column);
    }
  }

  private Sharding partitioned(TablePresence presence) throws UnroutableException {
    List<TablePresence> children = children(presence.name());
    boolean allOnAll =
        children.stream().allMatch(child -> everywhere(child) && child.hasOneBound());
    // With one shard read, "on all" may as well be "on this one": its bounds decide below.
    boolean ambiguous = readCount() == 1 && !children.isEmpty();
    if (allOnAll && !ambiguous) {
      boolean hash = presence.first().key().filter(key -> key.strategy() == 'h').isPresent();
      if (hash && !children.isEmpty()) {
        problem(presence, "has all its partitions on every shard: it is a reference table");
      }
      return new Sharding.Reference();
    }
    CatalogTable.PartitionKey key = presence.first().key().orElseThrow();
    List<RuleBuilder.PlacedPartition> placed = new ArrayList<>();
    for (TablePresence child : children) {
      for (Map.Entry<Integer, CatalogTable> entry : child.on().entrySet()) {
        placed.add(
            new RuleBuilder.PlacedPartition(
                child.name().name(), entry.getValue().bound(), entry.getKey()));
      }
    }
    if (key.columns().size() != 1) {
      throw new UnroutableException(
          key.columns().isEmpty()
              ? "is partitioned by an expression; a single column is supported"
              : "is partitioned by several columns; a single one is supported");
    }
    if (!key.standard()) {
      throw new UnroutableException(
          "is partitioned by an operator class or collation other than the type's");
    }
    String column = key.columns().get(0);
    KeyType type = keyType(presence, column);
    checkOrder(presence, column, key.strategy());
    List<String> warnings = new ArrayList<>();
    RuleBuilder rules = new RuleBuilder(shards, unread, warnings);
    PartitionRule rule = rules.build(key.strategy(), type, placed);
    warnings.forEach(warning -> problem(presence, warning));
    if (ambiguous && rule.placements().stream().noneMatch(p -> unread.contains(p.shard()))) {
      throw rules.notRead();
    }
    return sharding(presence, column, type, rule);
  }

  /** With the length of a varchar(n), after which blanks are cut off. */
  private static Sharding sharding(
      TablePresence presence, String column, KeyType type, PartitionRule rule) {
    Matcher limited = LIMITED.matcher(presence.column(column).orElseThrow().typeName());
    return new Sharding.ByColumn(
        column,
        type,
        limited.matches() ? new LimitedTextRule(rule, Integer.parseInt(limited.group(1))) : rule);
  }

  private List<TablePresence> children(TableName parent) {
    return partitions.getOrDefault(parent, List.of());
  }

  private KeyType keyType(TablePresence presence, String column) throws UnroutableException {
    CatalogColumn found =
        presence
            .column(column)
            .orElseThrow(() -> new UnroutableException("has no column " + column));
    if (INTEGERS.contains(found.typeName())) {
      return KeyType.INTEGER;
    }
    if (found.typeName().equals("uuid")) {
      return KeyType.UUID;
    }
    boolean text =
        found.typeName().equals("text") || found.typeName().startsWith("character varying");
    if (!text || !found.deterministic()) {
      throw new UnroutableException(
          ("has the sharding column %s of type %s, which cannot be one: use smallint, integer,"
                  + " bigint, uuid, or text or varchar with a deterministic collation")
              .formatted(column, found.typeName()));
    }
    for (Optional<ShardCatalog> catalog : catalogs) {
      if (catalog.isPresent() && !catalog.get().facts().encoding().equals("UTF8")) {
        throw new UnroutableException("has a text as sharding column, which needs encoding UTF8");
      }
    }
    return KeyType.TEXT;
  }

  private static void checkOrder(TablePresence presence, String column, char strategy)
      throws UnroutableException {
    boolean byteOrdered =
        presence.columns().stream()
            .filter(c -> c.name().equals(column))
            .allMatch(Column::byteOrdered);
    if (strategy == 'r' && !byteOrdered) {
      throw new UnroutableException(
          "has ranges of " + column + " whose order is not that of collation C");
    }
  }

  /** The table and what hangs below it. */
  private void place(TableName name, Sharding sharding) {
    shardings.put(name, sharding);
    for (TablePresence child : children(name)) {
      place(child.name(), partition(child, sharding));
    }
  }

  private Sharding partition(TablePresence child, Sharding ofParent) {
    boolean partitionWhereverItIs =
        child.copies().stream().allMatch(table -> table.parent().isPresent());
    if (!partitionWhereverItIs) {
      problem(child, "is a partition on one shard and not on another");
      return new Sharding.Unroutable("is a partition on one shard and not on another");
    }
    boolean byConfig =
        ofParent instanceof Sharding.ByColumn && child.on().size() > 1 && everywhere(child);
    boolean once = child.on().size() == 1 && shards.size() > 1;
    return once && !byConfig
        ? new Sharding.OnShard(child.on().firstKey(), false, uncheckedKey(child, ofParent))
        : ofParent;
  }

  /** As {@link Sharding.OnShard#uncheckedKey}. */
  private Optional<String> uncheckedKey(TablePresence child, Sharding ofParent) {
    if (ofParent instanceof Sharding.OnShard on) {
      return on.uncheckedKey();
    }
    boolean takesTheRest = child.first().bound().equals("DEFAULT");
    boolean othersElsewhere =
        child.first().parent().stream()
            .flatMap(parent -> children(parent).stream())
            .anyMatch(sibling -> !sibling.on().keySet().equals(child.on().keySet()));
    return takesTheRest && othersElsewhere && ofParent instanceof Sharding.ByColumn by
        ? Optional.of(by.column())
        : Optional.empty();
  }

  private void placeView(TablePresence presence) {
    if (shards.size() == 1) {
      shardings.put(presence.name(), new Sharding.Reference());
      return;
    }
    Set<Sharding> sources =
        presence.copies().stream()
            .flatMap(view -> tablesBehind(view, new TreeSet<>(BY_NAME)).stream())
            .map(used -> shardings.getOrDefault(used, new Sharding.Reference()))
            .collect(Collectors.toSet());
    Sharding below = sources.isEmpty() ? new Sharding.Reference() : sources.iterator().next();
    if (sources.size() > 1) {
      below = new Sharding.Unroutable("");
    }
    if (below instanceof Sharding.Reference && everywhere(presence)) {
      shardings.put(presence.name(), below);
    } else if (presence.on().size() == 1
        && sources.stream().anyMatch(Sharding.OnShard.class::isInstance)
        && sources.stream().allMatch(used -> isOn(presence, used))) {
      shardings.put(presence.name(), new Sharding.OnShard(presence.on().firstKey(), true));
    } else {
      // Not a problem of the cluster, so it is not listed as one.
      String reason =
          everywhere(presence)
              ? "is a view over sharded tables"
              : "is a view that is " + presence.onShards() + " only";
      shardings.put(presence.name(), new Sharding.Unroutable(reason));
    }
  }

  /** Whether the one shard that has the view has all rows of that table. */
  private static boolean isOn(TablePresence view, Sharding used) {
    return used instanceof Sharding.Reference
        || (used instanceof Sharding.OnShard on
            && on.uncheckedKey().isEmpty()
            && on.shard() == view.on().firstKey());
  }

  private Set<TableName> tablesBehind(CatalogTable view, Set<TableName> found) {
    for (TableName used : view.uses()) {
      TablePresence presence = presences.get(used);
      boolean isNew = found.add(used);
      if (isNew && presence != null && presence.isView()) {
        found.remove(used);
        presence.copies().forEach(inner -> tablesBehind(inner, found));
      }
    }
    return found;
  }

  private void unroutable(TablePresence presence, String reason) {
    problem(presence, reason + "; statements on it are refused");
    place(presence.name(), new Sharding.Unroutable(reason));
  }

  private void problem(TablePresence presence, String problem) {
    problems.add(presence.name() + " " + problem);
  }
}
