package io.shardmark.proxy.catalog;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A table, view or foreign table as one shard's catalog has it.
 *
 * @param kind pg_class.relkind
 * @param columns with the types' names, since oids of users' types differ between servers
 * @param key of a partitioned table
 * @param parent of a partition
 * @param bound of a partition, as pg_get_expr writes it, else ""
 * @param uses what a view reads
 * @param reactions changes of rows that set off a trigger or rule
 * @param rowTrigger name of one that may change a row before it is stored: BEFORE ROW, by a
 *     function that is not declared IMMUTABLE
 * @param ofOneShard marked as a table that no other shard has
 */
record CatalogTable(
    TableName name,
    TableKind kind,
    List<CatalogColumn> columns,
    Optional<PartitionKey> key,
    Optional<TableName> parent,
    String bound,
    Set<TableName> uses,
    Set<RowChange> reactions,
    Optional<String> rowTrigger,
    boolean ofOneShard) {
  CatalogTable {
    columns = List.copyOf(columns);
    uses = Set.copyOf(uses);
    reactions = Set.copyOf(reactions);
  }

  /** pg_class.relkind. */
  enum TableKind {
    TABLE("r", "table"),
    PARTITIONED("p", "partitioned table"),
    VIEW("v", "view"),
    MATERIALIZED_VIEW("m", "materialized view"),
    FOREIGN("f", "foreign table");

    private final String code;
    private final String word;

    TableKind(String code, String word) {
      this.code = code;
      this.word = word;
    }

    /** Empty for indexes and sequences. */
    static Optional<TableKind> of(String code) {
      return Stream.of(values()).filter(kind -> kind.code.equals(code)).findAny();
    }

    String word() {
      return word;
    }
  }

  /**
   * A column.
   *
   * @param typeName as format_type writes it
   * @param defaultText the default's expression, "" if there is none
   * @param deterministic whether only equal bytes are equal, as far as it has a collation
   */
  record CatalogColumn(Column column, String typeName, String defaultText, boolean deterministic) {
    String described() {
      return column.name() + " " + typeName;
    }
  }

  /**
   * PARTITION BY.
   *
   * @param strategy {@code h}, {@code l}, {@code r} as in pg_partitioned_table
   * @param columns names, in the key's order; empty if there are expressions
   * @param standard the default operator classes and the columns' own collations
   */
  record PartitionKey(char strategy, List<String> columns, boolean standard) {
    PartitionKey {
      columns = List.copyOf(columns);
    }
  }
}
