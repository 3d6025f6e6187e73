package io.shardmark.proxy.growth;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.growth.ServerSettings.Side;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From what a user asks for to a move that can be made, or a sentence that says why not. Blocks; a
 * refusal is a {@link ConfigException}, and has changed nothing.
 */
final class MovePlanner {
  private final ShardMap map;
  private final List<ShardAccess> shards;

  /** What is moved, before it has a number. */
  record Plan(
      int source, String target, List<String> parents, List<String> partitions, String bound) {}

  /** A partition as its shard's catalog has it; names quoted, but not in {@code table}. */
  private record Partition(
      String name,
      String parent,
      String bound,
      String owner,
      String fault,
      Set<String> refersTo,
      TableName table) {}

  private record NamedPartition(int shard, String partition, TableName parent) {}

  MovePlanner(ShardMap map, List<ShardAccess> shards) {
    this.map = map;
    this.shards = shards;
  }

  /**
   * @param partition a name, as SQL takes it
   */
  Plan plan(String partition, String target) throws SQLException {
    int to = map.shards().indexOf(target);
    if (to < 0) {
      throw new ConfigException(
          "there is no shard %s: it is one of %s"
              .formatted(target, String.join(", ", map.shards())));
    }
    NamedPartition named = find(partition);
    if (named.shard() == to) {
      throw new ConfigException(named.partition() + " is on shard " + target + " already");
    }
    try (Connection from = shards.get(named.shard()).open();
        Connection there = shards.get(to).open()) {
      List<Partition> moved = group(from, named);
      List<String> partitions = moved.stream().map(Partition::name).toList();
      if (MoveRows.read(from, named.shard()).stream()
          .anyMatch(move -> !move.stage().isOver() && move.partitions().equals(partitions))) {
        refuse(named.partition() + " is being moved already: see SHOW MOVES");
      }
      checkServer(from, shards.get(named.shard()).name(), Side.SOURCE);
      checkServer(there, target, Side.TARGET);
      if (!MoveRows.isKnownToAll(from, there)) {
        throw new ConfigException(
            "a proxy is present on shard %s and not on %s: start all proxies with the same shards"
                .formatted(shards.get(named.shard()).name(), target));
      }
      checkTarget(there, target, moved);
      return new Plan(
          named.shard(),
          target,
          moved.stream().map(Partition::parent).toList(),
          partitions,
          moved.get(0).bound());
    }
  }

  private NamedPartition find(String partition) throws SQLException {
    for (int shard = 0; shard < shards.size(); shard++) {
      int index = shard;
      try (Connection connection = shards.get(shard).open()) {
        List<NamedPartition> found =
            ShardSql.rows(
                connection,
                MoveSql.FIND,
                row ->
                    new NamedPartition(
                        index, row.getString(1), new TableName(row.getString(2), row.getString(3))),
                partition);
        if (!found.isEmpty()) {
          return found.get(0);
        }
      }
    }
    throw new ConfigException("no shard has a partition " + partition);
  }

  /** The partitions of all co-located tables, each after those that its table refers to. */
  private List<Partition> group(Connection from, NamedPartition named) throws SQLException {
    Table ofNamed = map.table(named.parent());
    if (ofNamed != null && ofNamed.sharding() instanceof Sharding.Unroutable why) {
      throw new ConfigException(named.parent() + " " + why.reason() + ": see SHOW PROBLEMS");
    }
    PartitionRule rule = rule(ofNamed);
    if (rule == null || !rule.strategy().equals("hash")) {
      throw new ConfigException(
          named.parent() + " is not partitioned by hash: only partitions by hash can be moved");
    }
    List<Table> tables =
        map.tables().values().stream().filter(table -> rule.equals(rule(table))).toList();
    List<Partition> all = partitions(from, tables);
    String bound =
        all.stream()
            .filter(one -> one.name().equals(named.partition()))
            .findFirst()
            .orElseThrow(() -> new ConfigException(named.partition() + " has just changed"))
            .bound();
    List<Partition> moved = all.stream().filter(one -> one.bound().equals(bound)).toList();
    for (Partition one : moved) {
      if (!one.fault().isEmpty()) {
        throw new ConfigException(one.name() + " cannot be moved: it " + one.fault());
      }
    }
    if (moved.size() != tables.size()) {
      throw new ConfigException(
          "%d tables place rows alike, but only %d have a partition %s on shard %s: %s"
              .formatted(
                  tables.size(),
                  moved.size(),
                  bound,
                  shards.get(named.shard()).name(),
                  String.join(", ", moved.stream().map(Partition::parent).toList())));
    }
    requireNoneLeft(from, bound);
    return inOrder(moved);
  }

  /** A table of which the map cannot say where its rows are may be one of those moved together. */
  private void requireNoneLeft(Connection from, String bound) throws SQLException {
    List<Table> unclear =
        map.tables().values().stream()
            .filter(table -> table.sharding() instanceof Sharding.Unroutable)
            .toList();
    for (Partition one : unclear.isEmpty() ? List.<Partition>of() : partitions(from, unclear)) {
      Table table = map.table(one.table());
      if (one.bound().equals(bound)
          && table != null
          && table.sharding() instanceof Sharding.Unroutable why) {
        refuse(
            "%s could not be moved along: its table %s %s"
                .formatted(one.name(), one.parent(), why.reason()));
      }
    }
  }

  private static List<Partition> partitions(Connection from, List<Table> tables)
      throws SQLException {
    return ShardSql.rows(
        from,
        MoveSql.PARTITIONS,
        row ->
            new Partition(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                Set.copyOf(MoveRows.texts(row, 6)),
                new TableName(row.getString(7), row.getString(8))),
        schemas(tables),
        names(tables));
  }

  /** By which moves the shards come to have about as much, of each group of co-located tables. */
  List<Rebalance.Moved> rebalance() throws SQLException {
    Map<PartitionRule, List<Table>> groups = new LinkedHashMap<>();
    for (Table table : map.tables().values()) {
      PartitionRule rule = rule(table);
      if (rule != null && rule.strategy().equals("hash")) {
        groups.computeIfAbsent(rule, first -> new ArrayList<>()).add(table);
      }
    }
    List<Rebalance.Moved> moves = new ArrayList<>();
    for (List<Table> tables : groups.values()) {
      List<Rebalance.SizedPartition> parts = new ArrayList<>();
      for (int shard = 0; shard < shards.size(); shard++) {
        int index = shard;
        try (Connection connection = shards.get(shard).open()) {
          parts.addAll(
              ShardSql.rows(
                  connection,
                  MoveSql.SIZES,
                  row -> new Rebalance.SizedPartition(row.getString(1), index, row.getLong(2)),
                  schemas(tables),
                  names(tables)));
        }
      }
      moves.addAll(Rebalance.moves(parts, shards.size()));
    }
    return moves;
  }

  private static List<String> schemas(List<Table> tables) {
    return tables.stream().map(table -> table.name().schema()).toList();
  }

  private static List<String> names(List<Table> tables) {
    return tables.stream().map(table -> table.name().name()).toList();
  }

  private static @Nullable PartitionRule rule(@Nullable Table table) {
    return table != null && table.sharding() instanceof Sharding.ByColumn by
        ? by.rule().ofStored()
        : null;
  }

  /** Tables that refer to each other in a circle stay as they are. */
  private static List<Partition> inOrder(List<Partition> partitions) {
    List<Partition> left = new ArrayList<>(partitions);
    LinkedHashSet<Partition> ordered = new LinkedHashSet<>();
    while (!left.isEmpty()) {
      Set<String> waiting = new HashSet<>(left.stream().map(Partition::parent).toList());
      List<Partition> next =
          left.stream()
              .filter(
                  one ->
                      one.refersTo().stream()
                          .noneMatch(
                              other -> !other.equals(one.parent()) && waiting.contains(other)))
              .toList();
      ordered.addAll(next.isEmpty() ? left : next);
      left.removeAll(ordered);
    }
    return List.copyOf(ordered);
  }

  // ---- what the servers need

  private static void checkServer(Connection connection, String shard, Side side)
      throws SQLException {
    MoveRows.settings(connection).fault(shard, side).ifPresent(MovePlanner::refuse);
  }

  private static void refuse(String why) {
    throw new ConfigException(why);
  }

  private static void checkTarget(Connection target, String shard, List<Partition> moved)
      throws SQLException {
    List<String> parents = moved.stream().map(Partition::parent).toList();
    List<String> partitions = moved.stream().map(Partition::name).toList();
    none(
        ShardSql.texts(target, MoveSql.MISSING_TABLES, parents),
        "shard " + shard + " does not have the table ");
    none(
        ShardSql.texts(
            target,
            MoveSql.MISSING_ROLES,
            moved.stream().map(Partition::owner).distinct().toList()),
        "shard " + shard + " does not have the role ");
    none(
        ShardSql.texts(target, MoveSql.EXISTING_TABLES, partitions),
        "shard " + shard + " has a table already that is called ");
  }

  private static void none(List<String> found, String sentence) {
    found.stream().findFirst().ifPresent(one -> refuse(sentence + one));
  }
}
