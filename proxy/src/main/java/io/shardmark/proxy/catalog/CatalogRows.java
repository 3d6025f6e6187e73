package io.shardmark.proxy.catalog;

import io.shardmark.proxy.catalog.CatalogTable.CatalogColumn;
import io.shardmark.proxy.catalog.CatalogTable.PartitionKey;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Overloads;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.StartValues;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One shard's catalog from the rows of {@link #EVERYTHING}. Pure. */
final class CatalogRows {
  /** What a row tells, by its first column; in the order of the statement. */
  enum Part {
    TABLES(CatalogSql.TABLES, 7),
    COLLATIONS(CatalogSql.COLLATIONS, 3),
    COLUMNS(CatalogSql.COLUMNS, 6),
    PARTITION_KEYS(CatalogSql.PARTITION_KEYS, 5),
    OTHERS(CatalogSql.OTHERS, 2),
    VIEW_USES(CatalogSql.VIEW_USES, 2),
    DEFAULTS(CatalogSql.DEFAULTS, 4),
    REACTIONS(CatalogSql.REACTIONS, 4),
    SCHEMAS(CatalogSql.SCHEMAS, 4),
    OVERLOADS(CatalogSql.OVERLOADS, 3),
    ROW_TRIGGERS(CatalogSql.ROW_TRIGGERS, 2),
    ROLES(CatalogSql.ROLES, 2);

    final String query;
    final int columns;

    Part(String query, int columns) {
      this.query = query;
      this.columns = columns;
    }
  }

  /** A row, read column by column. */
  record Fields(List<@Nullable String> values) {
    /** The text in a column, from 1; "" for null. */
    String text(int column) {
      String value = values.get(column);
      return value == null ? "" : value;
    }

    boolean isNull(int column) {
      return values.get(column) == null;
    }

    long number(int column) {
      return Long.parseLong(text(column));
    }

    boolean flag(int column) {
      return text(column).equals("true");
    }
  }

  private static final List<Part> IN_ORDER = List.of(Part.values());

  /**
   * Everything about tables as texts, in one statement and so of one snapshot: the number of a
   * {@link Part}, then the columns of that.
   */
  static final String EVERYTHING = everything();

  private final Map<Part, List<Fields>> parts = new EnumMap<>(Part.class);

  /**
   * @param rows as the statement gave them
   */
  CatalogRows(List<List<@Nullable String>> rows) {
    for (List<@Nullable String> row : rows) {
      Fields fields = new Fields(row);
      Part part = IN_ORDER.get((int) fields.number(0));
      parts.computeIfAbsent(part, p -> new ArrayList<>()).add(fields);
    }
  }

  private static String everything() {
    StringBuilder sql = new StringBuilder();
    for (int number = 0; number < IN_ORDER.size(); number++) {
      Part part = IN_ORDER.get(number);
      sql.append(number == 0 ? "" : "\nunion all\n")
          .append("select ")
          .append(number)
          .append("::text");
      StringBuilder names = new StringBuilder();
      for (int column = 1; column < CatalogSql.COLUMN_COUNT; column++) {
        boolean has = column <= part.columns;
        sql.append(has ? ", q.c" + column + "::text" : ", null::text");
        names.append(has ? (column == 1 ? "c" : ", c") + column : "");
      }
      sql.append(" from (").append(part.query).append(") q (").append(names).append(')');
    }
    return sql.toString();
  }

  List<Fields> of(Part part) {
    return parts.getOrDefault(part, List.of());
  }

  ShardCatalog catalog(ShardFacts facts) {
    return new ShardCatalog(facts, tables(), others(), schemas(), roles());
  }

  private Map<TableName, CatalogTable> tables() {
    Automatics automatics = Automatics.of(this);
    Map<Long, List<CatalogColumn>> columns = columns(collations(), automatics);
    Map<Long, PartitionKey> keys = partitionKeys();
    Map<Long, TableName> names = new HashMap<>();
    for (Fields row : of(Part.TABLES)) {
      names.put(row.number(1), new TableName(row.text(2), row.text(3)));
    }
    Map<Long, Set<TableName>> uses = viewUses(names);
    Map<Long, List<String>> triggers = rowTriggers();
    Map<TableName, CatalogTable> tables = new HashMap<>();
    for (Fields row : of(Part.TABLES)) {
      long oid = row.number(1);
      TableName name = new TableName(row.text(2), row.text(3));
      tables.put(
          name,
          new CatalogTable(
              name,
              kind(row.text(4)),
              columns.getOrDefault(oid, List.of()),
              Optional.ofNullable(keys.get(oid)),
              row.isNull(6)
                  ? Optional.empty()
                  : Optional.of(new TableName(row.text(5), row.text(6))),
              row.text(7),
              uses.getOrDefault(oid, Set.of()),
              automatics.reactionsOf(oid),
              triggers.getOrDefault(oid, List.of())));
    }
    return tables;
  }

  private Set<TableName> others() {
    Set<TableName> names = new HashSet<>();
    of(Part.OTHERS).forEach(row -> names.add(new TableName(row.text(1), row.text(2))));
    return names;
  }

  private Map<String, String> roles() {
    Map<String, String> roles = new HashMap<>();
    of(Part.ROLES).forEach(row -> roles.put(row.text(1), row.text(2)));
    return roles;
  }

  private Schemas schemas() {
    Set<String> names = new HashSet<>();
    Map<String, String> usual = new HashMap<>();
    Map<String, Map<String, String>> ofRole = new HashMap<>();
    boolean functionsSet = false;
    Schemas.CalledUnseen calledUnseen = Schemas.CalledUnseen.NEVER;
    for (Fields row : of(Part.SCHEMAS)) {
      switch (row.text(1)) {
        case "schema" -> names.add(row.text(2));
        case "sets" -> {
          functionsSet = true;
          calledUnseen = Schemas.CalledUnseen.valueOf(row.text(2));
        }
        case "role" ->
            ofRole
                .computeIfAbsent(row.text(2), role -> new HashMap<>())
                .put(row.text(3), row.text(4));
        default -> {
          if (!row.text(4).isEmpty() || row.text(3).equals(StartValues.SEARCH_PATH)) {
            usual.put(row.text(3), row.text(4));
          }
        }
      }
    }
    return new Schemas(
        names, new StartValues(usual, ofRole), overloads(), functionsSet, calledUnseen);
  }

  private Map<Long, List<String>> rowTriggers() {
    Map<Long, List<String>> triggers = new HashMap<>();
    for (Fields row : of(Part.ROW_TRIGGERS)) {
      triggers.computeIfAbsent(row.number(1), oid -> new ArrayList<>()).add(row.text(2));
    }
    return triggers;
  }

  private Overloads overloads() {
    Map<String, Map<String, Overloads.Harm>> worst = new HashMap<>();
    for (Fields row : of(Part.OVERLOADS)) {
      Overloads.Harm harm =
          switch ((int) row.number(3)) {
            case 1 -> Overloads.Harm.DIFFERS;
            case 2 -> Overloads.Harm.VOLATILE;
            default -> Overloads.Harm.UNKNOWN;
          };
      worst.computeIfAbsent(row.text(1), schema -> new HashMap<>()).put(row.text(2), harm);
    }
    return new Overloads(worst);
  }

  private static CatalogTable.Kind kind(String relkind) {
    return switch (relkind) {
      case "p" -> CatalogTable.Kind.PARTITIONED;
      case "v" -> CatalogTable.Kind.VIEW;
      case "m" -> CatalogTable.Kind.MATERIALIZED_VIEW;
      case "f" -> CatalogTable.Kind.FOREIGN;
      default -> CatalogTable.Kind.TABLE;
    };
  }

  private record Collation(boolean deterministic, boolean byteOrdered) {}

  private Map<Long, Collation> collations() {
    Map<Long, Collation> collations = new HashMap<>();
    collations.put(0L, new Collation(true, true));
    for (Fields row : of(Part.COLLATIONS)) {
      collations.put(row.number(1), new Collation(row.flag(2), row.flag(3)));
    }
    return collations;
  }

  private Map<Long, List<CatalogColumn>> columns(
      Map<Long, Collation> collations, Automatics automatics) {
    Collation unknown = new Collation(false, false);
    Map<Long, List<CatalogColumn>> columns = new HashMap<>();
    List<Fields> rows = new ArrayList<>(of(Part.COLUMNS));
    rows.sort(Comparator.comparingLong(row -> row.number(6)));
    for (Fields row : rows) {
      Collation collation = collations.getOrDefault(row.number(5), unknown);
      Automatics.Default own = automatics.defaultOf(row.number(1), (int) row.number(6));
      Column column =
          new Column(
              row.text(2),
              // Oids over 2^31 are users' types, whose oids nobody compares; the bits are kept.
              (int) row.number(3),
              collation.byteOrdered(),
              own.filling());
      columns
          .computeIfAbsent(row.number(1), oid -> new ArrayList<>())
          .add(new CatalogColumn(column, row.text(4), own.text(), collation.deterministic()));
    }
    return columns;
  }

  private Map<Long, PartitionKey> partitionKeys() {
    Map<Long, PartitionKey> keys = new HashMap<>();
    for (Fields row : of(Part.PARTITION_KEYS)) {
      boolean plain = row.flag(3) && !row.isNull(4);
      keys.put(
          row.number(1),
          new PartitionKey(
              row.text(2).charAt(0),
              plain ? List.of(row.text(4).split("\n", -1)) : List.of(),
              row.flag(5)));
    }
    return keys;
  }

  private Map<Long, Set<TableName>> viewUses(Map<Long, TableName> names) {
    Map<Long, Set<TableName>> uses = new HashMap<>();
    for (Fields row : of(Part.VIEW_USES)) {
      TableName used = names.get(row.number(2));
      if (used != null) {
        uses.computeIfAbsent(row.number(1), oid -> new HashSet<>()).add(used);
      }
    }
    return uses;
  }
}
