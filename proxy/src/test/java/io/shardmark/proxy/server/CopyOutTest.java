package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/** COPY TO STDOUT of tables that are on two shards. */
final class CopyOutTest {
  private static final int ROWS = 500;

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4", "sharding: {plain: id}");
    proxy.makeOnShards(
        "create table t (twice int generated always as (2 * id) stored, id int primary key,"
            + " v text) partition by hash (id);"
            + "create table t_$shard partition of t"
            + " for values with (modulus 2, remainder $shard);"
            + "create table plain (id int primary key, v text);"
            + "create table big (id int primary key, v text) partition by hash (id);"
            + "create table big_$shard partition of big"
            + " for values with (modulus 2, remainder $shard);"
            + "insert into t (id, v) select g, 'row ' || g from generate_series(1, 500) g"
            + " where satisfies_hash_partition('t'::regclass, 2, $shard, g);"
            + "insert into plain select g, null from generate_series(1, 500) g"
            + " where satisfies_hash_partition('t'::regclass, 2, $shard, g);"
            + "insert into big select g, repeat('x', 1000) from generate_series(1, 60000) g"
            + " where satisfies_hash_partition('big'::regclass, 2, $shard, g)");
  }

  private static CopyManager copy(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  private static List<String> lines(Connection connection, String sql, long count)
      throws SQLException, IOException {
    StringWriter out = new StringWriter();
    assertThat(copy(connection).copyOut(sql, out)).isEqualTo(count);
    return out.toString().lines().toList();
  }

  private static List<String> expected(String format) {
    return IntStream.rangeClosed(1, ROWS).mapToObj(id -> format.replace("#", "" + id)).toList();
  }

  @Test
  void copiesAllRowsOfAPartitionedTable() throws Exception {
    try (Connection connection = proxy.connect()) {
      assertThat(lines(connection, "copy t to stdout", ROWS))
          .containsExactlyInAnyOrderElementsOf(expected("#\trow #"));
      assertThat(lines(connection, "copy public.t (v, id) to stdout", ROWS))
          .containsExactlyInAnyOrderElementsOf(expected("row #\t#"));
      assertThat(lines(connection, "copy plain to stdout", ROWS))
          .containsExactlyInAnyOrderElementsOf(expected("#\t\\N"));
    }
  }

  @Test
  void givesTheHeaderLineOnce() throws Exception {
    try (Connection connection = proxy.connect()) {
      for (String sql :
          List.of(
              "copy t to stdout with (format csv, header)",
              "copy t to stdout csv header",
              "copy (select id, v from t) to stdout (format csv, header true)")) {
        List<String> lines = lines(connection, sql, ROWS);
        assertThat(lines.get(0)).isEqualTo("id,v");
        assertThat(lines.subList(1, lines.size()))
            .containsExactlyInAnyOrderElementsOf(expected("#,row #"));
      }
      assertThat(lines(connection, "copy t to stdout (format csv, header 'off')", ROWS))
          .containsExactlyInAnyOrderElementsOf(expected("#,row #"));
    }
  }

  @Test
  void copiesAQuery() throws Exception {
    try (Connection connection = proxy.connect()) {
      assertThat(lines(connection, "copy (select v from t where id < 4) to stdout", 3))
          .containsExactlyInAnyOrder("row 1", "row 2", "row 3");
      assertThat(lines(connection, "copy (select v from t where id in (1, 2, 3, 4)) to stdout", 4))
          .containsExactlyInAnyOrder("row 1", "row 2", "row 3", "row 4");
      assertThatThrownBy(
              () -> lines(connection, "copy (select v from t order by id) to stdout", ROWS))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
    }
  }

  /** What came out goes in on one server, which checks header, rows and trailer. */
  @Test
  void givesOneBinaryStream() throws Exception {
    try (Connection connection = proxy.connect();
        Connection shard = proxy.shard(0);
        Statement statement = shard.createStatement()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertThat(copy(connection).copyOut("copy t to stdout (format binary)", out)).isEqualTo(ROWS);
      statement.execute("create temp table back (id int primary key, v text)");
      assertThat(
              copy(shard)
                  .copyIn(
                      "copy back from stdin (format binary)",
                      new ByteArrayInputStream(out.toByteArray())))
          .isEqualTo(ROWS);
      try (ResultSet rows =
          statement.executeQuery(
              "select count(*), sum(id) from back where v = 'row ' || id::text")) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(ROWS);
        assertThat(rows.getInt(2)).isEqualTo(ROWS * (ROWS + 1) / 2);
      }
      ByteArrayOutputStream none = new ByteArrayOutputStream();
      copy(connection).copyOut("copy (select * from t where id < 0) to stdout binary", none);
      assertThat(none.size()).isEqualTo(11 + 4 + 4 + 2);
    }
  }

  @Test
  void failsOnceInTheMiddleOfTheStream() throws Exception {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () -> lines(connection, "copy (select 1 / (id - 59999), v from big) to stdout", ROWS))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
      assertThatThrownBy(() -> statement.execute("select 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
      connection.rollback();
      connection.setAutoCommit(true);
      assertThat(lines(connection, "copy t to stdout", ROWS)).hasSize(ROWS);
    }
  }

  @Test
  void stopsReadingFromShardsWhenTheClientDoesNotRead() throws Exception {
    try (Connection connection = proxy.connect();
        Connection watcher = proxy.shard(0);
        Statement statement = watcher.createStatement()) {
      CopyOut out = copy(connection).copyOut("copy big to stdout");
      assertThat(new String(out.readFromCopy(), StandardCharsets.UTF_8)).contains("\txxx");
      Await.until(
          "both shards wait for their client",
          () -> {
            try (ResultSet rows =
                statement.executeQuery(
                    "select count(*) from pg_stat_activity where wait_event = 'ClientWrite'"
                        + " and query like 'COPY (SELECT%FROM big%'")) {
              rows.next();
              return rows.getInt(1) == 2;
            }
          });
      int rows = 1;
      while (out.readFromCopy() != null) {
        rows++;
      }
      assertThat(rows).isEqualTo(60_000);
      assertThat(out.getHandledRowCount()).isEqualTo(60_000);
    }
  }

  @Test
  void copiesInATransactionAndAmongOtherStatements() throws Exception {
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.executeUpdate("update t set v = 'changed' where id = 7");
      assertThat(lines(connection, "copy t (v) to stdout", ROWS)).contains("changed");
      connection.rollback();
      assertThat(lines(connection, "copy t (v) to stdout", ROWS)).doesNotContain("changed");
      connection.rollback();
    }
  }
}
