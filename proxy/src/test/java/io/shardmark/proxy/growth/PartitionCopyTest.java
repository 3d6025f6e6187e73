package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.growth.Cutover.BusyException;
import io.shardmark.proxy.growth.PartitionCopy.GoesOn;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.TestShards;
import io.shardmark.proxy.shards.ShardSql;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows go from one real database to another, more of them than are sent without a rest. */
final class PartitionCopyTest {
  private static final String ROWS =
      "select count(*) || ' ' || sum(hashtextextended(t::text, 0)::numeric) from \"Gone 1\" t";

  private ShardAccess source;
  private ShardAccess target;
  private PartitionMove move;

  @BeforeEach
  void arrive() throws SQLException, IOException {
    TestShards shards = TestShards.create(2);
    TestShards.allowReplication();
    source = shards.shard(0);
    target = shards.shard(1);
    String table =
        """
        create table "Gone 1" (id int, dropped int, note text, "Twice" int generated always as
          (2 * id) stored, at timestamptz default now(), parts bytea[]);
        alter table "Gone 1" drop column dropped;""";
    TestShards.execute(source, table);
    TestShards.execute(target, table);
    TestShards.execute(
        source,
        """
        insert into "Gone 1" (id, note, parts) select g, repeat(E'\\\\x\\t\\n', 150),
          array['\\x00ff'::bytea, null] from generate_series(1, 2000) g;
        insert into "Gone 1" values (null, null), (0, ''), (1, '\\N')""");
    List<String> partitions = List.of("public.\"Gone 1\"");
    String name = "shardmark_move_" + source.name() + System.nanoTime();
    move =
        new PartitionMove(1, name, 0, "s1", partitions, partitions, "", MoveStage.COPYING, "", 0);
  }

  @AfterEach
  void dropSlot() throws SQLException {
    try (Connection connection = source.open()) {
      ShardSql.execute(connection, "SET statement_timeout TO 0");
      ShardSql.texts(connection, MoveSql.DROP_SLOT, move.name());
    }
  }

  private Connection replicating() throws SQLException {
    try (Connection connection = source.open()) {
      Properties properties = new Properties();
      properties.setProperty("user", "bench");
      properties.setProperty("password", "bench");
      properties.setProperty("replication", "database");
      properties.setProperty("preferQueryMode", "simple");
      properties.setProperty("assumeMinServerVersion", "10");
      return DriverManager.getConnection(connection.getMetaData().getURL(), properties);
    }
  }

  private void copy(GoesOn goesOn) throws SQLException, BusyException, InterruptedException {
    try (Connection rows = replicating();
        Connection to = target.open()) {
      new PartitionCopy(move, rows, to, goesOn).make();
    }
  }

  private List<String> slots() throws SQLException {
    return TestShards.query(
        source, "select slot_name from pg_replication_slots where database = current_database()");
  }

  @Test
  void rowsAreThoseOfTheMomentFromWhichTheLogIsKept() throws Exception {
    List<String> before = TestShards.query(source, ROWS);
    copy(() -> TestShards.execute(source, "update \"Gone 1\" set note = 'new' where id = 2000"));

    assertThat(TestShards.query(target, ROWS)).isEqualTo(before);
    assertThat(TestShards.query(source, ROWS)).isNotEqualTo(before);
    assertThat(slots()).containsExactly(move.name());
  }

  @Test
  void aCopyThatWasInterruptedBeginsAnew() throws Exception {
    assertThatThrownBy(
            () ->
                copy(
                    () -> {
                      throw new BusyException("cancelled");
                    }))
        .hasMessage("cancelled");
    assertThat(TestShards.query(target, "select count(*) > 0 from \"Gone 1\""))
        .containsExactly("t");
    assertThat(slots()).containsExactly(move.name());
    dropSlot();
    copy(() -> {});

    assertThat(TestShards.query(target, ROWS)).isEqualTo(TestShards.query(source, ROWS));
  }

  /** The source has more rows than what lies between it and the target. */
  @Test
  void limitsForUsersDoNotEndACopy() throws Exception {
    TestShards.execute(
        source,
        "insert into \"Gone 1\" (note) select repeat('x', 1000) from generate_series(1, 20000)");
    List<String> before = TestShards.query(source, ROWS);
    String database = TestShards.query(source, "select current_database()").get(0);
    TestShards.execute(
        source, "alter database %s set statement_timeout to '300ms'".formatted(database));
    copy(() -> {});

    assertThat(TestShards.query(target, ROWS)).isEqualTo(before);
  }

  @Test
  void twoDoNotCopyAtATime() throws Exception {
    try (Connection other = target.open()) {
      ShardSql.texts(other, MoveSql.take(move.id()));
      assertThatThrownBy(() -> copy(() -> {})).hasMessage("another proxy copies the rows");
    }
    assertThat(slots()).isEmpty();
  }
}
