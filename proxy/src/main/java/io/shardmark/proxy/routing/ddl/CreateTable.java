package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.DeclaredSharding;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * CREATE TABLE. A partitioned table is on every shard, each of its partitions on one. A table that
 * is not partitioned is whole on every shard, a reference table, or on one; the configuration may
 * say by which column it is sharded.
 */
final class CreateTable {
  private final DdlText text;
  private final DeclaredSharding declared;
  private final DdlPlacement placement;
  private final String unsharded;
  private int elements = -1;
  private int partitionBy = -1;
  private int bound = -1;
  private int query = -1;
  private @Nullable Name parent;
  private @Nullable Name inherited;

  /**
   * @param declared sharding columns of tables that are not partitioned
   * @param unsharded the name of the shard of tables that are not sharded and say nothing; any
   *     other name: all shards
   */
  CreateTable(DdlText text, DeclaredSharding declared, String unsharded) {
    this.unsharded = unsharded;
    this.text = text;
    this.declared = declared;
    this.placement = new DdlPlacement(text);
  }

  /** After CREATE [UNLOGGED] TABLE. */
  StatementPlan plan() {
    final boolean ifMissing = text.take("if", "not", "exists");
    Name name = text.path();
    if (name == null) {
      return text.everywhere(DdlKind.SCHEMA);
    }
    text.changes(name);
    clauses();
    TableName created = text.created(name);
    if (text.shards() == 1 && parent == null) {
      return text.everywhere(placement.cuts().apply(text.sql()), DdlKind.SCHEMA);
    }
    Integer found = ifMissing ? text.placeOf(NameSpace.RELATIONS, created) : null;
    if (parent != null) {
      return partition(parent, found);
    }
    if (found != null && (query >= 0 || found >= 0)) {
      return skipped(Math.max(0, found));
    }
    int shard = found == null ? oneShard(created) : -1;
    checkQuery(shard);
    TableElements checked =
        new TableElements(
            text, created, shard < 0 ? distribution(created) : Distribution.oneShard(shard));
    List<Span> parts = elements < 0 ? List.of() : text.parts(elements);
    for (Span part : parts) {
      checked.element(part.from(), part.to());
    }
    if (shard >= 0) {
      String mark = parts.stream().anyMatch(this::copiesMark) ? "" : mark(created.quoted());
      String sql = placement.cuts().apply(text.sql()) + mark;
      return new ClaimedName(text, NameSpace.RELATIONS, created).on(shard, sql);
    }
    return text.perShard(
        i -> placement.cuts().with(checked.edits(i)).apply(text.sql()), DdlKind.SCHEMA);
  }

  /** The one shard that the table is on, or -1. */
  private int oneShard(TableName created) {
    Integer placed = placement.shard();
    boolean spread = partitionBy >= 0 || declared.column(created).isPresent();
    if (placed != null && placed != DdlPlacement.ALL && spread) {
      throw new DdlRefusedException(
          "a sharded table cannot be on one shard only",
          "Place its partitions, or leave out PARTITION BY.");
    }
    Table parentTable = inherited == null ? null : text.table(inherited);
    if (spread || parentTable != null) {
      return spread ? -1 : text.onlyShard(parentTable);
    }
    int read = placed == null && query >= 0 ? ReferenceQuery.onlyShard(text, query) : -1;
    if (placed != null || read >= 0) {
      return placed == null ? read : placed;
    }
    return text.shardNames().indexOf(unsharded);
  }

  /**
   * CREATE TABLE IF NOT EXISTS of a table that is there. If it is gone from there by now, the new
   * one lacks the mark and is not served.
   */
  private StatementPlan skipped(int shard) {
    String sql =
        // A server looks up the tables of the query first.
        query < 0 || ReferenceQuery.isOn(text, query, shard)
            ? text.sql()
            : text.sql().substring(0, text.start(query)) + "select";
    return text.onShard(shard, placement.cuts().apply(sql), DdlKind.SCHEMA);
  }

  /** Of CREATE TABLE AS: that shard, or each if it is -1, must have all rows that it reads. */
  private void checkQuery(int shard) {
    if (query >= 0 && shard < 0) {
      ReferenceQuery.check(text, query);
    } else if (query >= 0 && !ReferenceQuery.isOn(text, query, shard)) {
      throw new DdlRefusedException(
          "the query reads tables that are not on shard " + text.shardNames().get(shard),
          "Create the table first, then fill it with INSERT or COPY.");
    } else if (query < 0 && elements < 0 && shard >= 0) {
      throw new DdlRefusedException(
          "a table of one shard needs a list of its columns",
          "Create the table first, then fill it with INSERT or COPY; or say WITH (shard = all).");
    }
  }

  /**
   * A further statement, by which a shard's catalog says that only this shard has the table.
   *
   * @param table as a statement names it
   */
  static String mark(String table) {
    return "\n; alter table %s add constraint %s check (true)"
        .formatted(table, TableName.quoted(Sharding.ONE_SHARD_MARK));
  }

  /** {@code LIKE name INCLUDING CONSTRAINTS} of a table that has the mark. */
  private boolean copiesMark(Span part) {
    text.moveTo(part.from());
    Table like = text.take("like") ? text.tableHere() : null;
    boolean copies = false;
    for (int i = text.at(); i + 1 < part.to(); i++) {
      boolean constraints = text.isWord(i + 1, "all") || text.isWord(i + 1, "constraints");
      copies |= constraints && text.isWord(i, "including");
      copies &= !(constraints && text.isWord(i, "excluding"));
    }
    return copies && like != null && like.sharding() instanceof Sharding.OnShard on && on.whole();
  }

  private void clauses() {
    int i = text.at();
    while (i < text.end()) {
      if (text.isSymbol(i, "(")) {
        elements = elements < 0 ? i : elements;
        i = text.afterParentheses(i);
      } else if (text.isWord(i, "partition") && text.isWord(i + 1, "of")) {
        text.moveTo(i + 2);
        parent = text.path();
        text.changes(parent);
        i = text.at();
      } else if (text.isWord(i, "partition") && text.isWord(i + 1, "by")) {
        partitionBy = i;
        while (i < text.end() && !text.isSymbol(i, "(")) {
          i++;
        }
        i = text.afterParentheses(i);
      } else if (parent != null && (text.isWord(i, "for") || text.isWord(i, "default"))) {
        bound = i;
        i = afterBound(i);
      } else if (text.isWord(i, "with") && text.isSymbol(i + 1, "(")) {
        i = placement.options(i);
      } else if (text.isWord(i, "inherits")) {
        text.moveTo(i + 2);
        inherited = text.path();
        i = text.afterParentheses(i + 1);
      } else if (text.isWord(i, "as")) {
        query = i + 1;
        return;
      } else {
        i++;
      }
    }
  }

  /** FOR VALUES WITH (..), IN (..), FROM (..) TO (..), or DEFAULT. */
  private int afterBound(int at) {
    if (text.isWord(at, "default")) {
      return at + 1;
    }
    int after = text.afterParentheses(at + 3);
    return text.isWord(after, "to") ? text.afterParentheses(after + 1) : after;
  }

  /**
   * @param found the shard that has a table of that name, or -1 or null
   */
  private StatementPlan partition(Name name, @Nullable Integer found) {
    Table table = text.table(name);
    int parentShard = text.onlyShard(table);
    Integer placed = placement.shard();
    if (placed != null && placed == DdlPlacement.ALL && text.shards() > 1) {
      throw new DdlRefusedException(
          "a partition cannot be on all shards: its rows would be there several times",
          "Place it with WITH (shard = 1) or another number.");
    }
    int shard = placed == null || placed == DdlPlacement.ALL ? parentShard : placed;
    shard = found == null || found < 0 ? shard : found;
    if (parentShard >= 0 && shard != parentShard) {
      throw new DdlRefusedException(
          "the partitioned table \"%s\" is on shard %s only"
              .formatted(name.name(), text.shardNames().get(parentShard)),
          "Leave out WITH (shard = ...).");
    }
    if (shard < 0) {
      shard = bound < 0 ? 0 : DdlPlacement.ofBound(text, bound);
    }
    String sql = placement.cuts().apply(text.sql());
    return parentShard < 0
        ? text.partitionOn(shard, sql, sql, "", DdlKind.SCHEMA)
        : text.onShard(shard, sql, DdlKind.SCHEMA);
  }

  private Distribution distribution(TableName created) {
    Optional<String> column = declared.column(created);
    if (column.isPresent()) {
      return Distribution.sharded(column.get());
    }
    if (inherited != null
        && !text.distribution(text.table(inherited)).is(Distribution.DistributionKind.REFERENCE)
        && text.table(inherited) != null) {
      throw new DdlRefusedException(
          "a table cannot inherit from \"" + inherited.name() + "\", which is sharded",
          "Make it a partition, or a separate table.");
    }
    if (partitionBy < 0) {
      return Distribution.REFERENCE;
    }
    int open = partitionBy + 3;
    List<String> columns = text.isSymbol(open, "(") ? keyColumns(open) : List.of();
    if (columns.size() != 1 || columns.get(0).isEmpty()) {
      throw new DdlRefusedException(
          "a table over several shards is partitioned by one column",
          "Use PARTITION BY HASH (column); its partitions can be partitioned further.");
    }
    return Distribution.sharded(columns.get(0));
  }

  /** A column may be followed by COLLATE or an operator class. */
  private List<String> keyColumns(int open) {
    return text.parts(open).stream()
        .map(
            part ->
                part.from() < part.to() && !text.isSymbol(part.from() + 1, "(")
                    ? key(part.from())
                    : "")
        .toList();
  }

  private String key(int position) {
    return text.token(position).isName() ? text.token(position).text() : "";
  }
}
