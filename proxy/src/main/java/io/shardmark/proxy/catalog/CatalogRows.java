package io.shardmark.proxy.catalog;

import static io.shardmark.proxy.shardmap.StartValues.SEARCH_PATH;

import io.shardmark.proxy.catalog.CatalogTable.CatalogColumn;
import io.shardmark.proxy.catalog.CatalogTable.PartitionKey;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.CustomParameters;
import io.shardmark.proxy.shardmap.Overloads;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.StartValues;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of {@link CatalogSql#changes} say of one shard, those of several readings together.
 * Immutable, pure.
 *
 * @param since for the next reading; empty before the first one
 * @param relations by oid, as are columns and functions
 * @param reactions of the last reading, as are the facts
 * @param prepared transactions whose end had not come
 */
record CatalogRows(
    Optional<Long> since,
    Map<Long, Fields> relations,
    Map<Long, List<Fields>> columns,
    Map<Long, Fields> functions,
    Map<Long, Fields> reactions,
    Set<Fields> facts,
    Set<Long> prepared) {
  /** Nothing has been read. */
  static final CatalogRows NONE =
      new CatalogRows(Optional.empty(), Map.of(), Map.of(), Map.of(), Map.of(), Set.of(), Set.of());

  /** A row, read column by column. */
  record Fields(List<@Nullable String> values) {
    /** The text in a column, from 1; "" for null. */
    String text(int column) {
      String value = values.get(column);
      return value == null ? "" : value;
    }

    Optional<String> optional(int column) {
      return Optional.ofNullable(values.get(column));
    }

    /** What is between the separators; nothing for null. */
    Stream<String> words(int column, String separator) {
      return optional(column).stream().flatMap(text -> Stream.of(text.split(separator, -1)));
    }

    Set<Long> numbers(int column) {
      return words(column, " ").map(Long::valueOf).collect(Collectors.toSet());
    }

    long number(int column) {
      return Long.parseLong(text(column));
    }

    boolean flag(int column) {
      return text(column).equals("true");
    }
  }

  /** Together with what another reading has brought: that counts where both know something. */
  CatalogRows with(List<List<@Nullable String>> answer) {
    Map<Long, Fields> newRelations = new HashMap<>(relations);
    Set<Long> read = new HashSet<>(); // perhaps without columns now
    Map<Long, List<Fields>> newColumns = new HashMap<>();
    Map<Long, Fields> newFunctions = new HashMap<>(functions);
    Map<Long, Fields> newReactions = new HashMap<>();
    Set<Fields> newFacts = new HashSet<>();
    Optional<Fields> present = Optional.empty();
    for (List<@Nullable String> values : answer) {
      Fields row = new Fields(values);
      switch (row.text(0)) {
        case "0" -> {
          read.add(row.number(1));
          newRelations.put(row.number(1), row);
        }
        case "1" -> newColumns.computeIfAbsent(row.number(1), oid -> new ArrayList<>()).add(row);
        case "2" -> newReactions.put(row.number(1), row);
        case "3" -> newFunctions.put(row.number(1), row);
        case "4" -> newFacts.add(row);
        default -> present = Optional.of(row);
      }
    }
    Fields now = present.orElseThrow();
    newRelations.keySet().retainAll(now.numbers(2));
    newFunctions.keySet().retainAll(now.numbers(3));
    newColumns.values().forEach(rows -> rows.sort(Comparator.comparingLong(row -> row.number(2))));
    columns.forEach(
        (table, known) -> {
          if (!read.contains(table) && newRelations.containsKey(table)) {
            newColumns.put(table, known);
          }
        });
    return new CatalogRows(
        Optional.of(now.number(1)),
        newRelations,
        newColumns,
        newFunctions,
        newReactions,
        newFacts,
        now.numbers(4));
  }

  /** Whether both say the same. */
  boolean saysTheSameAs(CatalogRows other) {
    return relations.equals(other.relations)
        && columns.equals(other.columns)
        && functions.equals(other.functions)
        && reactions.equals(other.reactions)
        && facts.equals(other.facts);
  }

  ShardCatalog catalog(ShardFacts ofServer) {
    Map<TableName, CatalogTable> tables = new HashMap<>();
    Set<TableName> others = new HashSet<>();
    Set<TableName> sequences = new HashSet<>();
    relations.forEach(
        (oid, row) -> {
          Optional<CatalogTable.TableKind> kind = CatalogTable.TableKind.of(row.text(4));
          kind.ifPresent(one -> tables.put(name(row), table(oid, one, row)));
          if (kind.isEmpty()) {
            others.add(name(row));
          }
          if (row.text(4).equals("S")) {
            sequences.add(name(row));
          }
        });
    return new ShardCatalog(ofServer, this, tables, others, sequences, schemas(), facts("is"));
  }

  /** Whether the shard has a table of shards that have been added. */
  boolean haveAdditions() {
    return !facts("adds").isEmpty();
  }

  /** Names of shards that have been added and count, in their order. */
  List<String> added() {
    return facts("added").entrySet().stream()
        .sorted(
            Comparator.comparingInt(
                shard -> Integer.parseInt(shard.getValue().getOrDefault("", "0"))))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Names of extended statistics. */
  Set<TableName> statistics() {
    Set<TableName> names = new HashSet<>();
    facts("statistics")
        .forEach(
            (schema, own) -> own.keySet().forEach(name -> names.add(new TableName(schema, name))));
    return names;
  }

  private static TableName name(Fields relation) {
    return new TableName(relation.text(2), relation.text(3));
  }

  private Optional<TableName> named(Long oid) {
    return Optional.ofNullable(relations.get(oid)).map(CatalogRows::name);
  }

  private CatalogTable table(Long oid, CatalogTable.TableKind kind, Fields row) {
    Optional<Fields> set = Optional.ofNullable(reactions.get(oid));
    return new CatalogTable(
        name(row),
        kind,
        columns.getOrDefault(oid, List.of()).stream().map(CatalogRows::column).toList(),
        row.optional(7)
            .map(
                strategy ->
                    new PartitionKey(strategy.charAt(0), row.words(8, "\n").toList(), row.flag(9))),
        row.optional(5).flatMap(parent -> named(Long.valueOf(parent))),
        row.text(6),
        row.numbers(10).stream().flatMap(used -> named(used).stream()).collect(Collectors.toSet()),
        set.stream()
            .flatMap(one -> one.words(2, " "))
            .map(RowChange::valueOf)
            .collect(Collectors.toSet()),
        set.flatMap(one -> one.optional(3)),
        row.flag(11));
  }

  private static CatalogColumn column(Fields row) {
    Column column =
        new Column(
            row.text(3),
            // Oids over 2^31 are users' types, whose oids nobody compares; the bits are kept.
            (int) row.number(4),
            row.flag(7),
            Filling.valueOf(row.text(9)));
    return new CatalogColumn(column, row.text(5), row.text(8), row.flag(6));
  }

  /** Those of one kind, by the first name, then by the second. */
  private Map<String, Map<String, String>> facts(String kind) {
    Map<String, Map<String, String>> values = new HashMap<>();
    for (Fields row : facts) {
      if (row.text(1).equals(kind)) {
        values.computeIfAbsent(row.text(2), name -> new HashMap<>()).put(row.text(3), row.text(4));
      }
    }
    return values;
  }

  private Schemas schemas() {
    Map<String, String> usual = new HashMap<>(facts("usual").getOrDefault("", Map.of()));
    usual.entrySet().removeIf(e -> e.getValue().isEmpty() && !e.getKey().equals(SEARCH_PATH));
    Map<String, Map<String, Overloads.Harm>> overloads = new HashMap<>();
    functions.values().stream()
        .filter(function -> !function.text(4).isEmpty())
        .forEach(
            function ->
                overloads
                    .computeIfAbsent(function.text(2), schema -> new HashMap<>())
                    .merge(
                        function.text(3),
                        Overloads.Harm.valueOf(function.text(4)),
                        (one, other) -> one.compareTo(other) > 0 ? one : other));
    String set =
        functions.values().stream().map(function -> function.text(5)).collect(Collectors.joining());
    return new Schemas(
        facts("schema").keySet(),
        new StartValues(usual, facts("role")),
        new Overloads(overloads),
        !set.isEmpty(),
        CustomParameters.in(set),
        !set.isEmpty()
            ? Schemas.CalledUnseen.valueOf(
                facts("unseen").getOrDefault("", Map.of()).getOrDefault("", "NEVER"))
            : Schemas.CalledUnseen.NEVER);
  }
}
