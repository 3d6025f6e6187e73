package io.shardmark.proxy.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.commit.ProxyLock;
import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.server.RunningProxy;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGNotification;

/** A proxy, and a mover played by hand that exchanges the rows of two shards. */
final class ProxyMeetingTest {
  private static final int SHARDS = 2;
  private static final int ROWS = 40;
  private static final int MOVE = 4711;

  private static final String HERE =
      " from pg_locks where locktype = 'advisory' and objsubid = 2 and classid = "
          + ProxyLock.PRESENCE.classId()
          + " and database in (%s)";

  private final List<Connection> mover = new ArrayList<>();
  private RunningProxy proxy;

  @BeforeEach
  void start() throws SQLException {
    proxy = RunningProxy.start(SHARDS).meetingOthers(ProxyMeeting.LIMIT);
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create table moved (id int primary key) partition by hash (id)");
      for (int part = 0; part < SHARDS; part++) {
        statement.execute(
            "create table part_%1$d partition of moved for values with (modulus 2, remainder %1$d)"
                    .formatted(part)
                + " with (shard = "
                + (part + 1)
                + ")");
      }
      statement.execute("insert into moved select g from generate_series(1, " + ROWS + ") g");
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      mover.add(proxy.shard(shard));
    }
  }

  @AfterEach
  void stop() throws SQLException {
    for (Connection connection : mover) {
      connection.close();
    }
    proxy.close();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void onEach(String sql) throws SQLException {
    for (int shard = 0; shard < SHARDS; shard++) {
      execute(mover.get(shard), sql.formatted(shard));
    }
  }

  /** Begins, and does all but the end. */
  private void exchange() throws SQLException {
    mark();
    exchangeMarked();
  }

  private void mark() throws SQLException {
    onEach("begin");
    onEach(PlacementSql.mark(MOVE));
  }

  private void exchangeMarked() throws SQLException {
    onEach("drop table moved");
    onEach("create table moved (id int primary key) partition by hash (id)");
    for (int shard = 0; shard < SHARDS; shard++) {
      Connection connection = mover.get(shard);
      int part = 1 - shard;
      execute(
          connection,
          "create table part_%1$d partition of moved for values with (modulus 2, remainder %1$d)"
              .formatted(part));
      execute(
          connection,
          ("insert into moved select g from generate_series(1, %d) g"
                  + " where satisfies_hash_partition('moved'::regclass, 2, %d, g)")
              .formatted(ROWS, part));
    }
  }

  /** Asks the proxies, and hears their answers. */
  private void announce() throws SQLException {
    for (int shard = 0; shard < SHARDS; shard++) {
      try (Connection connection = proxy.shard(shard)) {
        execute(connection, PlacementSql.LISTEN);
        Set<Integer> silent = new HashSet<>();
        ShardSql.rows(
            connection,
            PlacementSql.STATE,
            row -> row.getLong(2) == 0 && silent.add(row.getInt(1)));
        MoveMessage asked = new MoveMessage(MOVE, Hold.ofStatements(Set.of("moved")));
        ShardSql.say(connection, PlacementSql.MOVES, List.of(asked.text()));
        Await.until(
            "all have answered",
            () -> {
              for (PGNotification one : ShardSql.heard(connection, PlacementSql.MOVES, 5)) {
                if (one.getName().equals(PlacementSql.KEPT_OFF)) {
                  silent.remove(one.getPID());
                }
              }
              return silent.isEmpty();
            });
      }
    }
  }

  private static int count(RunningProxy through) {
    try (Connection connection = through.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from moved")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Each row by its own, which is on one shard. */
  private static void assertEachIsFound(RunningProxy through) throws SQLException {
    try (Connection connection = through.connect();
        Statement statement = connection.createStatement()) {
      for (int id = 1; id <= ROWS; id++) {
        try (ResultSet row =
            statement.executeQuery("select count(*) from moved where id = " + id)) {
          assertThat(row.next()).isTrue();
          assertThat(row.getInt(1)).as("rows of %d", id).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void aMoveThroughAnotherProxyIsWaitedFor() throws Exception {
    exchange();
    announce();
    CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> count(proxy));
    onEach("commit");
    assertThat(Await.result(answer)).isEqualTo(ROWS);
    assertEachIsFound(proxy);
  }

  @Test
  void oneThatIsLeftPreparedIsWaitedFor() throws Exception {
    exchange();
    announce();
    onEach("prepare transaction 'move_" + proxy.url().hashCode() + "_%d'");
    for (Connection connection : mover) {
      connection.close();
    }
    mover.clear();
    CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> count(proxy));
    for (int shard = 0; shard < SHARDS; shard++) {
      try (Connection recovery = proxy.shard(shard)) {
        execute(recovery, "commit prepared 'move_" + proxy.url().hashCode() + "_" + shard + "'");
      }
    }
    assertThat(Await.result(answer)).isEqualTo(ROWS);
    assertEachIsFound(proxy);
  }

  @Test
  void oneThatIsRolledBackEndsTheWaiting() throws Exception {
    exchange();
    announce();
    CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> count(proxy));
    onEach("rollback");
    assertThat(Await.result(answer)).isEqualTo(ROWS);
    assertEachIsFound(proxy);
  }

  @Test
  void aProxyThatStartsMeanwhileWaitsToo() throws Exception {
    mark();
    announce();
    // Reads the catalogs while nothing is locked yet.
    try (RunningProxy started = proxy.beside().meetingOthers(ProxyMeeting.LIMIT)) {
      CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> count(started));
      exchangeMarked();
      onEach("commit");
      assertThat(Await.result(answer)).isEqualTo(ROWS);
      assertEachIsFound(started);
    }
  }

  private String here() throws SQLException {
    List<String> databases = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      databases.add(
          proxy.onShard(shard, "select oid from pg_database where datname = current_database()"));
    }
    return HERE.formatted(String.join(", ", databases));
  }

  @Test
  void aProxyThatIsPresentNowhereAnswersNothing() throws Exception {
    String here = here();
    Await.until(
        "it is present",
        () -> proxy.onShard(0, "select count(*)" + here + " and granted").equals("2"));
    List<Connection> doors = new ArrayList<>();
    List<CompletableFuture<Void>> shut = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      Connection door = proxy.shard(shard);
      doors.add(door);
      String shutIt = PlacementSql.BE_PRESENT.replace("_shared", "");
      shut.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  execute(door, shutIt);
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    Await.until(
        "the doors are about to shut",
        () -> proxy.onShard(0, "select count(*)" + here + " and not granted").equals("2"));
    proxy.onShard(0, "select count(pg_terminate_backend(pid))" + here + " and granted");
    for (CompletableFuture<Void> one : shut) {
      Await.result(one);
    }
    Await.until(
        "it stands before both doors",
        () -> proxy.onShard(0, "select count(*)" + here + " and not granted").equals("2"));
    CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> count(proxy));
    exchange();
    onEach("commit");
    for (Connection door : doors) {
      door.close();
    }
    assertThat(Await.result(answer)).isEqualTo(ROWS);
    assertEachIsFound(proxy);
  }

  @Test
  void aMoveFailsIfAProxyDoesNotAnswer() throws Exception {
    try (RunningProxy impatient = proxy.beside().meetingOthers(Duration.ofSeconds(1));
        Connection silent = proxy.shard(0);
        Connection client = impatient.connect();
        Statement statement = client.createStatement()) {
      execute(silent, PlacementSql.BE_PRESENT);
      assertThatThrownBy(() -> statement.execute("create table further (a int)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"))
          .hasMessageContaining("another proxy does not keep off them: no answer within 1 s from");
      assertThat(proxy.onShard(0, "select to_regclass('further') is null")).isEqualTo("t");
      assertThat(proxy.onShard(1, "select to_regclass('further') is null")).isEqualTo("t");
    }
    assertThat(count(proxy)).isEqualTo(ROWS);
  }
}
