package io.shardmark.sql.shards;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The catalogs of Citus, as every user may read them. A shard of the map is a node that has rows of
 * distributed tables; Citus itself calls the parts of a table shards. Tables that are not
 * distributed, reference tables among them, are not in the map.
 */
final class CitusCatalog {
  private static final String IS_CITUS =
      "SELECT extversion FROM pg_extension WHERE extname = 'citus'";

  /** Nodes without a part are there to get some, unless they are on their way out. */
  private static final String NODES =
      "SELECT groupid, nodename, nodeport, current_database() FROM pg_dist_node n"
          + " WHERE noderole = 'primary' AND isactive AND (shouldhaveshards"
          + " OR EXISTS (SELECT FROM pg_dist_placement p JOIN pg_dist_shard s USING (shardid)"
          + " WHERE p.groupid = n.groupid AND s.shardminvalue IS NOT NULL))"
          + " ORDER BY groupid";

  /** One row for each part of a table in the search path; of replicas, the first. */
  private static final String PARTS =
      "SELECT DISTINCT ON (c.relname, s.shardid) c.relname,"
          + " column_to_column_name(d.logicalrelid, d.partkey) AS key,"
          + " EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid"
          + " AND a.attname = column_to_column_name(d.logicalrelid, d.partkey)"
          + " AND a.atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)) AS is_number,"
          + " s.shardminvalue, s.shardmaxvalue, p.groupid"
          + " FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid"
          + " JOIN pg_dist_shard s ON s.logicalrelid = d.logicalrelid"
          + " JOIN pg_dist_placement p ON p.shardid = s.shardid"
          + " WHERE d.partmethod = 'h' AND pg_table_is_visible(c.oid)"
          + " AND s.shardminvalue IS NOT NULL AND s.shardmaxvalue IS NOT NULL"
          + " ORDER BY c.relname, s.shardid, p.placementid";

  private CitusCatalog() {}

  /** Empty if the server has no Citus. */
  static Optional<ShardMap> read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet version = statement.executeQuery(IS_CITUS)) {
      if (!version.next()) {
        return Optional.empty();
      }
    } catch (SQLException e) {
      ShardMapReader.passOverUnknown(connection, e);
      return Optional.empty();
    }
    Map<Integer, Shard> nodes = nodes(connection);
    return Optional.of(
        new ShardMap(Sharding.CITUS, List.copyOf(nodes.values()), tables(connection, nodes)));
  }

  private static Map<Integer, Shard> nodes(Connection connection) throws SQLException {
    Map<Integer, Shard> nodes = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(NODES)) {
      while (rows.next()) {
        String host = rows.getString(2);
        int port = rows.getInt(3);
        nodes.put(
            rows.getInt(1),
            new Shard(nodes.size(), host + ":" + port, host, port, rows.getString(4)));
      }
    }
    return nodes;
  }

  private static Map<String, TablePlacement> tables(
      Connection connection, Map<Integer, Shard> nodes) throws SQLException {
    List<TablePlacement.PlacedPartition> parts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(PARTS)) {
      while (rows.next()) {
        Shard node = nodes.get(rows.getInt("groupid"));
        PartitionBound bound =
            rows.getBoolean("is_number") && node != null
                ? new PartitionBound.HashRange(
                    rows.getInt("shardminvalue"), rows.getInt("shardmaxvalue"))
                : new PartitionBound.Unknown(
                    "not a number's hash, or on a node that is not active");
        parts.add(
            new TablePlacement.PlacedPartition(
                rows.getString("relname"),
                rows.getString("key"),
                bound,
                node == null ? 0 : node.index()));
      }
    }
    return TablePlacement.of(parts);
  }
}
