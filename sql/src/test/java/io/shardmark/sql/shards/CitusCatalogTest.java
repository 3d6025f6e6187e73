package io.shardmark.sql.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.sql.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The catalogs of a Citus 13.2 with two workers, as tables of the same names in a plain PostgreSQL.
 */
final class CitusCatalogTest {
  private static final int SHARDS = 32;

  /** What get_shard_id_for_distribution_column of Citus says for 1 to 20, less the first id. */
  private static final List<Integer> SHARD_OF_VALUE =
      List.of(1, 24, 15, 8, 6, 20, 8, 0, 28, 4, 30, 30, 23, 8, 1, 10, 9, 31, 13, 0);

  private static final String CATALOGS =
      """
      create table public.pg_extension (extname text, extversion text);
      insert into public.pg_extension values ('citus', '13.2-1');
      create table pg_dist_node (groupid int, nodename text, nodeport int, isactive bool,
        noderole text, shouldhaveshards bool);
      insert into pg_dist_node values
        (0, '127.0.0.1', 9700, true, 'primary', false),
        (1, '127.0.0.1', 9701, true, 'primary', true),
        (2, '127.0.0.1', 9702, true, 'primary', true);
      create table pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text);
      create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text,
        shardmaxvalue text);
      create table pg_dist_placement (placementid bigserial, shardid bigint, groupid int);
      create function column_to_column_name(regclass, text) returns text language sql as 'select $2';
      create table moves (shardid bigint, source int, target int);
      create function citus_move_shard_placement(shardid bigint, source_host text, source int,
          target_host text, target int, shard_transfer_mode text)
        returns void language sql as
          'insert into moves values ($1, $3, $5);
           update pg_dist_placement set groupid = $5 - 9700 where shardid = $1';
      create table bmsql_warehouse (w_id integer);
      create table by_name (name text);
      create table bmsql_item (i_id integer);
      insert into pg_dist_partition values ('bmsql_warehouse', 'h', 'w_id'), ('by_name', 'h', 'name'),
        ('bmsql_item', 'n', null);
      insert into pg_dist_shard
        select 'bmsql_warehouse', 102267 + i, -2147483648 + i * 134217728::bigint,
          -2147483648 + (i + 1) * 134217728::bigint - 1
        from generate_series(0, 31) i;
      insert into pg_dist_shard values ('by_name', 200000, -2147483648, 2147483647),
        ('bmsql_item', 300000, null, null);
      insert into pg_dist_placement (shardid, groupid) select 102267 + i, 1 + i % 2
        from generate_series(0, 31) i;
      insert into pg_dist_placement (shardid, groupid) values (200000, 1), (300000, 0),
        (300000, 1), (300000, 2);
      """;

  @SuppressWarnings("NullAway.Init") // set before each test
  private ConnectionConfig database;

  @BeforeEach
  void makeCatalogs() throws SQLException {
    database = TestPostgres.newDatabase();
    try (Connection connection = TestPostgres.open(database);
        Statement statement = connection.createStatement()) {
      statement.execute(CATALOGS);
      // The stand-in of pg_extension is found before PostgreSQL's own.
      statement.execute(
          "alter database "
              + connection.getCatalog()
              + " set search_path = public, pg_catalog, pg_temp");
    }
  }

  @Test
  void placesRowsWhereCitusDoes() throws SQLException {
    try (Connection connection = TestPostgres.open(database)) {
      ShardMap map = ShardMapReader.read(connection).orElseThrow();

      assertThat(map.sharding()).isEqualTo(Sharding.CITUS);
      assertThat(map.shards())
          .extracting(Shard::name)
          .containsExactly("127.0.0.1:9701", "127.0.0.1:9702");
      int[] expected = SHARD_OF_VALUE.stream().mapToInt(shard -> shard % 2).toArray();
      int[] shardOf = map.shardsOf("bmsql_warehouse", expected.length).orElseThrow();
      assertThat(Arrays.copyOfRange(shardOf, 1, shardOf.length)).containsExactly(expected);
      assertThat(map.requireTable("bmsql_warehouse", "w_id").hashPartitions()).isEmpty();
    }
  }

  @Test
  void knowsNoPlaceOfReferenceTablesAndOfTexts() throws SQLException {
    try (Connection connection = TestPostgres.open(database)) {
      ShardMap map = ShardMapReader.read(connection).orElseThrow();

      assertThat(map.table("bmsql_item")).isEmpty();
      assertThat(map.table("by_name")).isPresent();
      assertThat(map.shardsOf("by_name", 1)).isEmpty();
    }
  }

  /** A question that the server does not know would have ended the transaction. */
  @Test
  void asksCitusNothingThatIsMeantForTheProxy() throws SQLException {
    try (Connection connection = TestPostgres.open(database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("create temp table still_here ()");
      assertThat(ShardMapReader.read(connection)).isPresent();
      statement.execute("select from still_here");
    }
  }

  @Test
  void evensOutWithFewMoves() throws SQLException {
    try (Connection connection = TestPostgres.open(database);
        Statement statement = connection.createStatement()) {
      // 8 of 1 to 10 are in shards of even number, and those are on the first worker.
      int moved = CitusPlacement.evenOut(connection, "bmsql_warehouse", 10);

      int[] shardOf =
          ShardMapReader.read(connection)
              .orElseThrow()
              .shardsOf("bmsql_warehouse", 10)
              .orElseThrow();
      assertThat(Arrays.stream(shardOf, 1, 11).sum()).as("on the second of two").isEqualTo(5);
      List<String> moves = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery("select source, target from moves")) {
        while (rows.next()) {
          moves.add(rows.getInt(1) + " to " + rows.getInt(2));
        }
      }
      assertThat(moves).hasSize(moved).containsOnly("9701 to 9702").hasSizeLessThanOrEqualTo(3);
      assertThat(CitusPlacement.evenOut(connection, "bmsql_warehouse", 10)).isZero();
    }
  }

  @Test
  void leavesTablesThatAreNotDistributed() throws SQLException {
    try (Connection connection = TestPostgres.open(database)) {
      assertThat(CitusPlacement.evenOut(connection, "pg_class", 10)).isZero();
      assertThat(CitusPlacement.evenOut(connection, "no_such_table", 10)).isZero();
    }
  }

  @Test
  void aNodeWithoutShardsGetsItsShare() {
    int[] weights = new int[SHARDS];
    Arrays.fill(weights, 3);
    int[] nodes = new int[SHARDS];
    for (EvenPlacement.Move move : EvenPlacement.moves(weights, nodes, 4)) {
      assertThat(nodes[move.part()]).isEqualTo(move.from());
      nodes[move.part()] = move.to();
    }
    for (int node = 0; node < 4; node++) {
      int wanted = node;
      assertThat(Arrays.stream(nodes).filter(of -> of == wanted).count()).isEqualTo(8);
    }
  }
}
