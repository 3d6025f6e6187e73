package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.TableLookup.OneShardObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of something that one shard makes, or renames. A name means one thing in the cluster:
 * each of the other shards makes something of that name and drops it. That fails if it has such a
 * thing, and keeps others from making one until the transaction ends.
 */
record ClaimedName(DdlText text, NameSpace space, TableName name) {
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
   * The statement that makes it.
   *
   * @param shard that makes it, or -1 for all
   * @param kind of the statement for all
   */
  StatementPlan made(int shard, DdlKind kind) {
    return shard < 0 ? text.everywhere(kind) : on(shard, text.sql());
  }

  /** The same with IF NOT EXISTS. */
  StatementPlan madeIfMissing(int shard, DdlKind kind) {
    return placeIfMissing(shard) < 0 && shard >= 0
        ? text.onShard(shard, text.sql(), DdlKind.SCHEMA)
        : made(shard, kind);
  }

  /**
   * A server skips what it has itself, and cannot know what another one has.
   *
   * @param shard that makes it, or -1 for all
   * @return where it is: -1 on all shards; {@code shard} if it is not there
   * @throws DdlRefusedException if it would be made and another shard has something of that name
   */
  int placeIfMissing(int shard) {
    int having = Objects.requireNonNullElse(text.placeOf(space, name), shard);
    if (having >= 0 && having != shard) {
      throw new DdlRefusedException(
          "IF NOT EXISTS would make \"%s\" on %s, and shard %s has something of that name"
              .formatted(
                  name.name(),
                  shard < 0 ? "other shards" : "shard " + text.shardNames().get(shard),
                  text.shardNames().get(having)),
          "Choose another name.");
    }
    return having;
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
}
