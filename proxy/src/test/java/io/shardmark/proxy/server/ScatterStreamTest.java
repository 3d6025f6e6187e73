package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.protocol.FrontendMessages;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Results over several shards that are larger than what the proxy may hold. */
final class ScatterStreamTest {
  private static final int ROWS = 20_000;

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4", "scatter_memory_limit: 1MB");
    proxy.makeOnShards(
        "create table big (id int primary key, shard int, v text) partition by hash (id);"
            + "create table big_$shard partition of big"
            + " for values with (modulus 2, remainder $shard);"
            + "insert into big select g, $shard, repeat('x', 500) from generate_series(1, 20000) g"
            + " where satisfies_hash_partition('big'::regclass, 2, $shard, g);"
            // Else autovacuum does so in the middle of the tests, and plans may change.
            + "analyze big");
  }

  private static int count(ResultSet rows) throws SQLException {
    int count = 0;
    while (rows.next()) {
      count++;
    }
    return count;
  }

  @Test
  void stopsReadingFromShardsWhenTheClientDoesNotRead() throws Exception {
    try (RawClient client = RawClient.connect(proxy);
        Connection watcher = proxy.shard(0);
        Statement statement = watcher.createStatement()) {
      client.send(
          out ->
              FrontendMessages.query(
                  out, "select id, repeat(v, 10) as wide from big /* slow client */"));
      Await.until(
          "both shards wait for their client",
          () -> {
            try (ResultSet rows =
                statement.executeQuery(
                    "select count(*) from pg_stat_activity where wait_event = 'ClientWrite'"
                        + " and query like '%as wide from big%' and pid <> pg_backend_pid()")) {
              rows.next();
              return rows.getInt(1) == 2;
            }
          });
      assertThat(client.readTo('C')).isEqualTo(ROWS);
      client.readTo('Z');
    }
  }

  /** All rows of one shard come behind those of the other: 5 MB against a limit of 1 MB. */
  @Test
  void mergesMoreThanItMayHoldByWaitingForTheShardThatIsBehind() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      int last = 1;
      int rows = 0;
      // The shard that is asked first is the one whose rows must wait.
      try (ResultSet result =
          statement.executeQuery("select shard, v from big order by shard desc")) {
        while (result.next()) {
          assertThat(result.getInt(1)).isLessThanOrEqualTo(last);
          last = result.getInt(1);
          rows++;
        }
      }
      assertThat(rows).isEqualTo(ROWS);
      try (ResultSet result =
          statement.executeQuery("select shard, v from big order by shard limit 3000")) {
        assertThat(count(result)).isEqualTo(3000);
      }
      try (ResultSet result = statement.executeQuery("select 1")) {
        assertThat(count(result)).isEqualTo(1);
      }
    }
  }

  @Test
  void refusesARowOfCopyThatIsLongerThanItMayHold() throws Exception {
    String row = "%d\t0\t%s\n";
    String longest = "x".repeat(600_000);
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
      String tooLong = row.formatted(-1, longest) + row.formatted(-2, longest + longest);
      assertThatThrownBy(() -> copy.copyIn("copy big from stdin", new StringReader(tooLong)))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53200"))
          .hasMessageContaining("Raise scatter_memory_limit");
      String rows = row.formatted(-3, longest) + row.formatted(-4, longest);
      assertThat(copy.copyIn("copy big from stdin", new StringReader(rows))).isEqualTo(2);
      assertThat(statement.executeUpdate("delete from big where id < 0")).isEqualTo(2);
    }
  }

  @Test
  void fetchesInPortionsMoreThanItMayHold() throws SQLException {
    for (String order : new String[] {"", " order by shard", " order by id"}) {
      try (Connection connection = proxy.connect();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.setFetchSize(2500);
        try (ResultSet rows = statement.executeQuery("select id, shard, v from big" + order)) {
          assertThat(count(rows)).as(order).isEqualTo(ROWS);
        }
        connection.commit();
      }
    }
  }

  @Test
  void asksTheShardsForNoMoreThanIsFetched() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(10);
      // The row that fails is far behind those that are fetched.
      try (ResultSet rows =
          statement.executeQuery(
              "select id, 1 / (case when id > 19000 then 0 else 1 end) from big order by id")) {
        for (int id = 1; id <= 25; id++) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(id);
        }
      }
      try (ResultSet rows = statement.executeQuery("select 1")) {
        assertThat(count(rows)).isEqualTo(1);
      }
      connection.commit();
    }
  }

  @Test
  void keepsSeveralPortalsOpenBesideOtherStatementsAndClosesThem() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement first = connection.createStatement();
        Statement second = connection.createStatement();
        Statement other = connection.createStatement()) {
      connection.setAutoCommit(false);
      first.setFetchSize(7);
      second.setFetchSize(11);
      try (ResultSet up = first.executeQuery("select id from big order by id");
          ResultSet down = second.executeQuery("select id from big order by id desc")) {
        for (int i = 1; i <= 100; i++) {
          assertThat(up.next()).isTrue();
          assertThat(down.next()).isTrue();
          assertThat(up.getInt(1)).isEqualTo(i);
          assertThat(down.getInt(1)).isEqualTo(ROWS + 1 - i);
          assertThat(other.executeUpdate("update big set v = 'y' where id = " + i)).isEqualTo(1);
        }
      }
      // PostgreSQL refuses to truncate what an open portal reads.
      other.execute("truncate big");
      connection.rollback();
      try (ResultSet rows = other.executeQuery("select count(*) from big where v = 'y'")) {
        rows.next();
        assertThat(rows.getInt(1)).isZero();
      }
      connection.rollback();
    }
  }

  @Test
  void fetchesGroupsInPortions() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(3);
      try (ResultSet rows =
          statement.executeQuery("select id % 10, count(*) from big group by 1 order by 1")) {
        for (int i = 0; i < 10; i++) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(i);
          assertThat(rows.getInt(2)).isEqualTo(ROWS / 10);
        }
        assertThat(rows.next()).isFalse();
      }
      connection.commit();
    }
  }

  @Test
  void endsPortalsWithTheirSavepoint() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement before = connection.createStatement();
        Statement behind = connection.createStatement()) {
      connection.setAutoCommit(false);
      before.setFetchSize(2);
      behind.setFetchSize(2);
      try (ResultSet stays = before.executeQuery("select id from big order by id")) {
        assertThat(stays.next()).isTrue();
        Savepoint savepoint = connection.setSavepoint("here");
        try (ResultSet goes = behind.executeQuery("select id from big order by id")) {
          assertThat(goes.next()).isTrue();
          connection.rollback(savepoint);
          for (int id = 2; id <= 5; id++) {
            assertThat(stays.next()).isTrue();
            assertThat(stays.getInt(1)).isEqualTo(id);
          }
          assertThat(goes.next()).isTrue();
          assertThatThrownBy(goes::next)
              .isInstanceOfSatisfying(
                  SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("34000"));
        }
      }
      connection.rollback();
    }
  }

  @Test
  void refusesToHoldReturnedRowsBeyondTheLimit() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(10);
      assertThatThrownBy(
              () -> statement.executeQuery("update big set shard = 7 returning id, v").close())
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53200"));
      connection.rollback();
      try (ResultSet rows =
          statement.executeQuery("update big set shard = 7 where id < 100 returning id, v")) {
        assertThat(count(rows)).isEqualTo(99);
      }
      connection.rollback();
    }
  }

  @Test
  void failsOnceWhenOneShardFailsAmongManyRows() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(
                () -> statement.executeQuery("select 1 / (id - 10001), v from big").close())
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
        try (ResultSet rows = statement.executeQuery("select v from big")) {
          assertThat(count(rows)).isEqualTo(ROWS);
        }
      }
    }
  }

  /** Without a transaction a portal ends with its Sync. */
  @Test
  void fetchesInPortionsUpToSync() throws Exception {
    try (RawClient client = RawClient.connect(proxy)) {
      client.send(
          out -> {
            FrontendMessages.parse(out, "", "select id from big order by id");
            FrontendMessages.bind(out, "p", "");
            FrontendMessages.execute(out, "p", 5);
            FrontendMessages.execute(out, "p", 6);
            FrontendMessages.sync(out);
            FrontendMessages.execute(out, "p", 1);
            FrontendMessages.sync(out);
          });
      assertThat(client.readTo('s')).isEqualTo(5);
      assertThat(client.readTo('s')).isEqualTo(6);
      client.readTo('Z');
      assertThat(client.read().body()).contains("34000");
      client.readTo('Z');
    }
  }
}
