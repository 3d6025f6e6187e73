package io.shardmark.proxy.growth;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.growth.MovePlanner.Side;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Whether a shard can be added. Blocks; a refusal is a {@link ConfigException}. */
final class AdditionCheck {
  private final ShardAccess added;
  private final List<ShardAccess> shards;
  private final ShardMap map;

  AdditionCheck(ShardAccess added, List<ShardAccess> shards, ShardMap map) {
    this.added = added;
    this.shards = shards;
    this.map = map;
  }

  void run() throws SQLException {
    String name = "shard " + added.name();
    try (Connection target = added.open()) {
      MovePlanner.checkServer(target, added.name(), Side.TARGET);
      MovePlanner.checkServer(target, added.name(), Side.SOURCE); // of a later move
      String database = ShardSql.texts(target, AdditionSql.DATABASE).get(0);
      if (ShardSql.isTrue(target, AdditionSql.HAS_IDENTITY)) {
        refuse(
            name + " is a database that is of a cluster already: it has a row in shardmark.shard");
      }
      if (ShardSql.isTrue(target, AdditionSql.IS_MARKED)) {
        refuse(name + " is being added already, or to another cluster: it has shardmark.arriving");
      }
      for (int shard = 0; shard < shards.size(); shard++) {
        try (Connection one = shards.get(shard).open()) {
          counting(shard, one, target, database);
        }
      }
      MovePlanner.none(
          ShardSql.texts(target, AdditionSql.OWN_OBJECTS),
          name + " is not empty, and is to get everything from the others: it has the ");
    }
  }

  private void counting(int shard, Connection one, Connection target, String database)
      throws SQLException {
    String name = shards.get(shard).name();
    if (ShardSql.texts(one, AdditionSql.DATABASE).get(0).equals(database)) {
      refuse("shards %s and %s are the same database".formatted(name, added.name()));
    }
    if (!MoveRows.isKnownToAll(one, target)) {
      refuse(
          "a proxy is present on shard %s and not on %s: append %2$s to shards in the files of all proxies, and RELOAD"
              .formatted(name, added.name()));
    }
    if (MoveRows.read(one, shard).stream().anyMatch(move -> !move.stage().isOver())) {
      refuse("there are moves that are not over: see SHOW MOVES");
    }
    if (shard == 0) {
      first(one, target);
    }
  }

  private void first(Connection first, Connection target) throws SQLException {
    missing("role", AdditionSql.ROLES, first, target);
    missing("extension", AdditionSql.EXTENSIONS, first, target);
    MovePlanner.none(
        ShardSql.texts(first, AdditionSql.UNSUPPORTED),
        "ADD SHARD does not make what shard %s has: ".formatted(shards.get(0).name()));
    List<TableName> byColumn =
        map.tables().values().stream()
            .filter(table -> table.sharding() instanceof Sharding.ByColumn)
            .map(Table::name)
            .toList();
    MovePlanner.none(
        ShardSql.texts(
            first,
            AdditionSql.NOT_PARTITIONED,
            byColumn.stream().map(TableName::schema).toList(),
            byColumn.stream().map(TableName::name).toList()),
        "rows of tables that are sharded without partitions are placed by the number of shards, and"
            + " do not move: make partitions of ");
  }

  private void missing(String kind, String sql, Connection first, Connection target)
      throws SQLException {
    List<String> missing = new ArrayList<>(ShardSql.texts(first, sql));
    missing.removeAll(ShardSql.texts(target, sql));
    MovePlanner.none(missing, "shard %s does not have the %s ".formatted(added.name(), kind));
  }

  private static void refuse(String why) {
    throw new ConfigException(why);
  }
}
