package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.TableLookup.OneShardObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The name of something that one shard makes, or renames. A name means one thing in the cluster:
 * each of the other shards makes something of that name and drops it. That fails if it has such a
 * thing, and keeps others from making one until the transaction ends.
 */
record ClaimedName(DdlText text, NameSpace space, TableName name) {
  /** NAMEDATALEN - 1 (PG18 §4.1.1 sql-syntax-identifiers). */
  private static final int MAX_BYTES = 63;

  /** The text for that shard, while the others keep the name. */
  StatementPlan on(int shard, String sql) {
    String claim =
        switch (space) {
          case RELATIONS -> "create view %1$s as select 1; drop view %1$s";
          case STATISTICS ->
              "create table %2$s (a int, b int); create statistics %1$s on a, b from %2$s;"
                  + " drop table %2$s";
        };
    String used = new TableName(name.schema(), "shardmark statistics").quoted();
    String claimed = claim.formatted(name.quoted(), used);
    return text.perShard(i -> i == shard ? sql : claimed, DdlKind.SCHEMA, shard);
  }

  /**
   * Renames what is named here, or gives it another schema; null if the statement does neither, or
   * if not one shard alone has it.
   */
  static @Nullable StatementPlan renamed(DdlText text, NameSpace space) {
    Name before = text.path();
    text.take("*");
    boolean moves = text.take("set", "schema");
    Name after = moves || text.take("rename", "to") ? text.path() : null;
    text.changes(moves ? null : after);
    OneShardObject alone = before == null || after == null ? null : text.alone(space, before);
    if (alone == null || after == null) {
      return null;
    }
    TableName was = alone.name();
    TableName name =
        moves ? new TableName(after.name(), was.name()) : new TableName(was.schema(), after.name());
    return new ClaimedName(text, space, name).on(alone.shard(), text.sql());
  }

  /**
   * Makes an index without a name by the name that a server would choose: of table and columns,
   * with a number if the cluster has that (PG18 sql-createindex). Where more than that decides, a
   * server does choose it, and no other shard keeps it.
   *
   * @param place where the statement would have a name
   * @param parts columns and expressions
   */
  static StatementPlan ofIndex(DdlText text, Table table, int place, List<Span> parts) {
    Set<String> columns = new LinkedHashSet<>();
    parts.forEach(part -> columns.add(column(text, part)));
    String prefix = table.name().name() + "_" + String.join("_", columns) + "_idx";
    TableName name = new TableName(table.name().schema(), prefix);
    for (int number = 1; text.placeOf(name) != null; number++) {
      name = new TableName(name.schema(), prefix + number);
    }
    boolean known = !parts.isEmpty() && columns.size() == parts.size() && !columns.contains("");
    if (!known || name.name().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      return text.onShard(text.onlyShard(table), text.sql(), DdlKind.SCHEMA);
    }
    String sql =
        new TextEdits()
            .insert(text.start(place), TableName.quoted(name.name()) + " ")
            .apply(text.sql());
    return new ClaimedName(text, NameSpace.RELATIONS, name).on(text.onlyShard(table), sql);
  }

  /** "" if it is an expression. */
  private static String column(DdlText text, Span part) {
    text.moveTo(part.from());
    String name = text.name();
    return text.isSymbol(text.at(), "(") || text.isSymbol(text.at(), ".") ? "" : name;
  }
}
