package io.shardmark.proxy.catalog;

import static io.shardmark.proxy.shardmap.StartValues.SEARCH_PATH;

import io.shardmark.proxy.catalog.CatalogTable.CatalogColumn;
import io.shardmark.proxy.catalog.CatalogTable.Kind;
import io.shardmark.proxy.catalog.CatalogTable.PartitionKey;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Filling;
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

/** One shard's catalog from the rows of {@link #EVERYTHING}. Pure. */
final class CatalogRows {
  private static final List<String> PARTS =
      List.of(CatalogSql.RELATIONS, CatalogSql.COLUMNS, CatalogSql.OTHER_FACTS);
  private static final int[] PART_COLUMNS = {13, 9, 4};

  /**
   * Everything about tables as texts, in one statement and so of one snapshot: the number of a
   * part, then the columns of that.
   */
  static final String EVERYTHING = everything();

  /** A row, read column by column. */
  private record Fields(List<@Nullable String> values) {
    /** The text in a column, from 1; "" for null. */
    String text(int column) {
      String value = values.get(column);
      return value == null ? "" : value;
    }

    Optional<String> optional(int column) {
      return Optional.ofNullable(values.get(column));
    }

    /** What stands between the separators; nothing for null. */
    Stream<String> words(int column, String separator) {
      return optional(column).stream().flatMap(text -> Stream.of(text.split(separator, -1)));
    }

    long number(int column) {
      return Long.parseLong(text(column));
    }

    boolean flag(int column) {
      return text(column).equals("true");
    }

    /** In two columns, the schema and the name. */
    TableName name(int column) {
      return new TableName(text(column), text(column + 1));
    }
  }

  private final List<List<Fields>> parts = new ArrayList<>();

  private CatalogRows(List<List<@Nullable String>> rows) {
    PARTS.forEach(part -> parts.add(new ArrayList<>()));
    for (List<@Nullable String> row : rows) {
      Fields fields = new Fields(row);
      parts.get((int) fields.number(0)).add(fields);
    }
  }

  private static String everything() {
    StringBuilder sql = new StringBuilder();
    for (int part = 0; part < PART_COLUMNS.length; part++) {
      sql.append(part == 0 ? "" : "\nunion all\n").append("select ").append(part).append("::text");
      StringBuilder names = new StringBuilder();
      for (int column = 1; column < CatalogSql.COLUMN_COUNT; column++) {
        boolean has = column <= PART_COLUMNS[part];
        sql.append(has ? ", q.c" + column + "::text" : ", null::text");
        names.append(has ? (column == 1 ? "c" : ", c") + column : "");
      }
      sql.append(" from (").append(PARTS.get(part)).append(") q (").append(names).append(')');
    }
    return sql.toString();
  }

  /**
   * @param rows as the statement gave them
   */
  static ShardCatalog catalog(ShardFacts facts, List<List<@Nullable String>> rows) {
    return new CatalogRows(rows).catalog(facts);
  }

  private ShardCatalog catalog(ShardFacts facts) {
    Map<Long, TableName> names = new HashMap<>();
    parts.get(0).forEach(row -> names.put(row.number(1), row.name(2)));
    Map<Long, List<CatalogColumn>> columns = columns();
    Map<TableName, CatalogTable> tables = new HashMap<>();
    Set<TableName> others = new HashSet<>();
    Set<TableName> sequences = new HashSet<>();
    for (Fields row : parts.get(0)) {
      TableName name = row.name(2);
      Optional<Kind> kind = Kind.of(row.text(4));
      if (kind.isPresent()) {
        List<CatalogColumn> own = columns.getOrDefault(row.number(1), List.of());
        tables.put(name, table(name, kind.get(), own, row, names));
      } else {
        others.add(name);
        if (row.text(4).equals("S")) {
          sequences.add(name);
        }
      }
    }
    return new ShardCatalog(facts, tables, others, sequences, schemas(), facts("is"));
  }

  private static CatalogTable table(
      TableName name,
      Kind kind,
      List<CatalogColumn> columns,
      Fields row,
      Map<Long, TableName> names) {
    return new CatalogTable(
        name,
        kind,
        columns,
        row.optional(8)
            .map(
                strategy ->
                    new PartitionKey(
                        strategy.charAt(0), row.words(9, "\n").toList(), row.flag(10))),
        row.optional(6).map(parent -> row.name(5)),
        row.text(7),
        row.words(11, " ")
            .flatMap(oid -> Optional.ofNullable(names.get(Long.valueOf(oid))).stream())
            .collect(Collectors.toSet()),
        row.words(12, " ").map(RowChange::valueOf).collect(Collectors.toSet()),
        row.optional(13));
  }

  private Map<Long, List<CatalogColumn>> columns() {
    Map<Long, List<CatalogColumn>> columns = new HashMap<>();
    parts.get(1).sort(Comparator.comparingLong(row -> row.number(2)));
    for (Fields row : parts.get(1)) {
      Column column =
          new Column(
              row.text(3),
              // Oids over 2^31 are users' types, whose oids nobody compares; the bits are kept.
              (int) row.number(4),
              row.flag(7),
              Filling.valueOf(row.text(9)));
      columns
          .computeIfAbsent(row.number(1), oid -> new ArrayList<>())
          .add(new CatalogColumn(column, row.text(5), row.text(8), row.flag(6)));
    }
    return columns;
  }

  /** Those of one kind, by the first name, then by the second. */
  private Map<String, Map<String, String>> facts(String kind) {
    Map<String, Map<String, String>> values = new HashMap<>();
    for (Fields row : parts.get(2)) {
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
    facts("function")
        .forEach(
            (schema, functions) -> {
              Map<String, Overloads.Harm> worst = new HashMap<>();
              functions.forEach((name, harm) -> worst.put(name, Overloads.Harm.valueOf(harm)));
              overloads.put(schema, worst);
            });
    Set<String> sets = facts("sets").keySet();
    return new Schemas(
        facts("schema").keySet(),
        new StartValues(usual, facts("role")),
        new Overloads(overloads),
        !sets.isEmpty(),
        sets.stream()
            .map(Schemas.CalledUnseen::valueOf)
            .findAny()
            .orElse(Schemas.CalledUnseen.NEVER));
  }
}
