package io.shardmark.sql.shards;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Deals the shards of Citus out to its nodes by how many values of the sharding column they take.
 * Citus itself deals them out by their number, and the hash of a few numbers is uneven.
 */
public final class CitusPlacement {
  private static final String NODES =
      "SELECT groupid, nodename, nodeport FROM pg_dist_node"
          + " WHERE noderole = 'primary' AND isactive AND shouldhaveshards ORDER BY groupid";

  private static final String PARTS =
      "SELECT s.shardid, s.shardminvalue, s.shardmaxvalue, p.groupid FROM pg_dist_shard s"
          + " JOIN pg_dist_placement p ON p.shardid = s.shardid"
          + " WHERE s.logicalrelid = to_regclass(?) AND s.shardminvalue IS NOT NULL"
          + " ORDER BY s.shardid";

  /** Tables of one group of colocation move together. Nobody writes while a load is prepared. */
  private static final String MOVE =
      "SELECT citus_move_shard_placement(?, ?, ?, ?, ?, shard_transfer_mode => 'block_writes')";

  private CitusPlacement() {}

  private record Node(int group, String host, int port) {}

  private record CitusShard(long id, PartitionBound bound, int node) {}

  /**
   * Moves shards until every node has its share.
   *
   * @param connection borrowed; to the coordinator, in auto-commit mode
   * @param table distributed by a whole number; those colocated with it move too
   * @param values 1 .. this are dealt out
   * @return how many shards of the table were moved; 0 if it is not distributed, is replicated, or
   *     has shards on a node that is not to have any
   */
  public static int evenOut(Connection connection, String table, int values) throws SQLException {
    List<Node> nodes = nodes(connection);
    List<CitusShard> parts = parts(connection, table, nodes);
    boolean placed = parts.stream().allMatch(part -> part.node() >= 0);
    if (!placed || parts.stream().map(CitusShard::id).distinct().count() < parts.size()) {
      return 0;
    }
    int[] weights = new int[parts.size()];
    for (int value = 1; value <= values; value++) {
      for (int part = 0; part < weights.length; part++) {
        weights[part] += parts.get(part).bound().takes(value) ? 1 : 0;
      }
    }
    List<EvenPlacement.Move> moves =
        EvenPlacement.moves(
            weights,
            parts.stream().mapToInt(CitusShard::node).toArray(),
            Math.max(1, nodes.size()));
    for (EvenPlacement.Move move : moves) {
      move(connection, parts.get(move.part()).id(), nodes.get(move.from()), nodes.get(move.to()));
    }
    return moves.size();
  }

  private static List<Node> nodes(Connection connection) throws SQLException {
    List<Node> nodes = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(NODES)) {
      while (rows.next()) {
        nodes.add(new Node(rows.getInt(1), rows.getString(2), rows.getInt(3)));
      }
    }
    return nodes;
  }

  private static List<CitusShard> parts(Connection connection, String table, List<Node> nodes)
      throws SQLException {
    List<Integer> groups = nodes.stream().map(Node::group).toList();
    List<CitusShard> parts = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(PARTS)) {
      statement.setString(1, table);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          parts.add(
              new CitusShard(
                  rows.getLong(1),
                  new PartitionBound.HashRange(rows.getInt(2), rows.getInt(3)),
                  groups.indexOf(rows.getInt(4))));
        }
      }
    }
    return parts;
  }

  private static void move(Connection connection, long part, Node from, Node to)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MOVE)) {
      statement.setLong(1, part);
      statement.setString(2, from.host());
      statement.setInt(3, from.port());
      statement.setString(4, to.host());
      statement.setInt(5, to.port());
      statement.execute();
    }
  }
}
