package io.shardmark.proxy.growth;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.growth.ShardCandidate.CandidateIdentity;
import io.shardmark.proxy.growth.ShardCandidate.CountingShard;
import io.shardmark.proxy.growth.ShardCandidate.FirstShard;
import io.shardmark.proxy.growth.ShardCandidate.Globals;
import io.shardmark.proxy.growth.ShardCandidate.Presence;
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
import java.util.Optional;

/** Looks whether a shard can be added. Blocks; a refusal is a {@link ConfigException}. */
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
    try (Connection target = added.open();
        Connection first = shards.get(0).open()) {
      candidate(target, first)
          .refusal()
          .ifPresent(
              why -> {
                throw new ConfigException(why);
              });
    }
  }

  private ShardCandidate candidate(Connection target, Connection first) throws SQLException {
    List<CountingShard> counting = new ArrayList<>();
    for (int shard = 0; shard < shards.size(); shard++) {
      try (Connection one = shards.get(shard).open()) {
        counting.add(
            new CountingShard(
                shards.get(shard).name(),
                database(one),
                MoveRows.isKnownToAll(one, target)
                    ? Presence.KNOWN_TO_ALL
                    : Presence.UNKNOWN_TO_SOME,
                MoveRows.read(one, shard).stream().filter(move -> !move.stage().isOver()).count()));
      }
    }
    return new ShardCandidate(
        added.name(),
        MoveRows.settings(target),
        database(target),
        identity(target),
        ShardSql.hasTable(target, "arriving")
            ? ShardSql.texts(target, AdditionSql.MARKED_BY).stream().findFirst()
            : Optional.empty(),
        ShardSql.texts(target, AdditionSql.OWN_OBJECTS),
        globals(target),
        counting,
        new FirstShard(
            ShardSql.texts(first, AdditionSql.CLUSTER).get(0),
            globals(first),
            unsupported(first),
            unpartitioned(first)));
  }

  private static String database(Connection shard) throws SQLException {
    return ShardSql.texts(shard, AdditionSql.DATABASE).get(0);
  }

  private static Optional<CandidateIdentity> identity(Connection target) throws SQLException {
    return ShardSql.hasTable(target, "shard")
        ? ShardSql.rows(
                target,
                AdditionSql.IDENTITY,
                row -> new CandidateIdentity(row.getString(1), row.getString(2)))
            .stream()
            .findFirst()
        : Optional.empty();
  }

  private static Globals globals(Connection shard) throws SQLException {
    return new Globals(
        ShardSql.texts(shard, AdditionSql.ROLES), ShardSql.texts(shard, AdditionSql.EXTENSIONS));
  }

  private List<String> unsupported(Connection first) throws SQLException {
    List<String> found = new ArrayList<>(ShardSql.texts(first, AdditionSql.UNSUPPORTED));
    found.addAll(ShardAddition.Cargo.of(map).partitions(first));
    return found;
  }

  private List<String> unpartitioned(Connection first) throws SQLException {
    List<TableName> byColumn =
        map.tables().values().stream()
            .filter(table -> table.sharding() instanceof Sharding.ByColumn)
            .map(Table::name)
            .toList();
    return ShardSql.texts(
        first,
        AdditionSql.NOT_PARTITIONED,
        byColumn.stream().map(TableName::schema).toList(),
        byColumn.stream().map(TableName::name).toList());
  }
}
