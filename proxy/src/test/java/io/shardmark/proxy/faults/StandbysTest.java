package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardmark.config.Secret;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.sql.embedded.EmbeddedConn;
import io.shardmark.sql.embedded.EmbeddedPair;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two shards, each a primary with a synchronous standby. Each test promotes the standby of one of
 * them, and leaves the other as it was.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StandbysTest {
  private static final int KILLED = 0;
  private static final int SWITCHED = 1;

  private final List<EmbeddedPair> pairs = new ArrayList<>();
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private Path directory;
  private ProxyProcess proxy;

  @BeforeAll
  void start(@TempDir Path files) throws Exception {
    directory = files;
    pairs.addAll(GrowthCluster.together(List.of(() -> pair(0), () -> pair(1))));
    proxy = ProxyProcess.start(directory, config(List.of(0, 1), "10s"));
  }

  private static EmbeddedPair pair(int shard) throws SQLException {
    EmbeddedPair pair =
        (EmbeddedPair)
            EmbeddedConn.start(
                "embedded:replicated?fsync=off&set.scram_iterations=1&memory=256MB&set.max_prepared_transactions=20",
                "bench",
                new Secret("bench"),
                "bench",
                50,
                line -> {});
    at(
        pair.primary(),
        "create table note (id int, text text) partition by hash (id);"
            + "create table note_part partition of note for values with (modulus 2, remainder %d)"
                .formatted(shard));
    at(pair.primary(), "alter database bench set synchronous_commit = remote_apply");
    return pair;
  }

  @AfterAll
  void end() {
    clients.shutdownNow();
    proxy.close();
    pairs.forEach(EmbeddedPair::close);
  }

  /** The first keys of a shard. */
  private List<String> keys(int shard) throws SQLException {
    return asked(
        pairs.get(shard).primary().jdbcUrl(),
        "select id from generate_series(1, 50) id where"
            + " satisfies_hash_partition('note'::regclass, 2, %d, id)".formatted(shard));
  }

  /**
   * @param listed the hosts of the first shard: 0 is the first primary, 1 its standby
   */
  private String config(List<Integer> listed, String failoverWait) {
    StringBuilder yaml = new StringBuilder("shards:\n");
    for (int shard = 0; shard < pairs.size(); shard++) {
      List<Integer> ports =
          List.of(pairs.get(shard).primary().port(), pairs.get(shard).standby().port());
      List<String> hosts =
          (shard == 0 ? listed : List.of(0, 1))
              .stream().map(host -> "127.0.0.1:" + ports.get(host)).toList();
      yaml.append("  - {name: s%d, hosts: %s, database: bench}\n".formatted(shard, hosts));
    }
    return yaml
        + """
        users:
          - {name: bench, password: bench}
        admin_users: [bench]
        databases: [bench]
        recovery_interval: 1s
        transport: nio
        event_loops: 1
        failover_wait: %s
        read_from: standby
        """
            .formatted(failoverWait);
  }

  private static void at(EmbeddedServer server, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), "bench", "bench");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> asked(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, "bench", "bench");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> all = new ArrayList<>();
      while (rows.next()) {
        all.add(String.valueOf(rows.getString(1)));
      }
      return all;
    }
  }

  private static String url(ProxyProcess through) {
    return "jdbc:postgresql://127.0.0.1:" + through.port() + "/bench?socketTimeout=60";
  }

  private Connection open() throws SQLException {
    return DriverManager.getConnection(url(proxy), "bench", "bench");
  }

  private static void signal(EmbeddedServer server, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(server.pid())).start();
    assertThat(kill.waitFor()).isZero();
    Await.until("the server has ended", () -> !server.isRunning());
  }

  private void readsGoToTheStandby(String key) throws SQLException {
    try (Connection connection = open();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      connection.setReadOnly(true);
      String place = "select pg_is_in_recovery() and count(*) >= 0 from note where id = " + key;
      Await.until(
          "a READ ONLY transaction reads from the standby",
          proxy::logTail,
          () -> {
            boolean standby = isTrue(statement, place);
            connection.commit();
            return standby;
          });
      connection.setReadOnly(false);
      statement.execute("insert into note values (%s, 'own')".formatted(key));
      connection.commit();
      connection.setReadOnly(true);
      assertThat(isTrue(statement, "select count(*) = 1 from note where id = " + key))
          .as("what the client has written is read at once")
          .isTrue();
      connection.commit();
      connection.setReadOnly(false);
      statement.execute("delete from note where id = " + key);
      connection.commit();
    }
  }

  private static boolean isTrue(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  @Test
  void aStandbyReplacesAPrimaryThatWasKilled() throws Exception {
    readsGoToTheStandby(keys(KILLED).get(1));
    EmbeddedPair pair = pairs.get(KILLED);
    Gid gid = new Gid("s1", 7, 1);
    List<String> keys = keys(KILLED);
    Function<String, String> insert =
        text -> "insert into note values (%s, '%s')".formatted(keys.get(0), text);
    try (Connection idle = open();
        Connection inTransaction = open();
        Statement outside = idle.createStatement();
        Statement inside = inTransaction.createStatement()) {
      outside.execute(insert.apply("before"));
      inTransaction.setAutoCommit(false);
      inside.execute(insert.apply("lost"));

      proxy.signal("STOP");
      // As a proxy leaves it that dies after the decision.
      at(
          pair.primary(),
          "begin; %s; prepare transaction '%s'"
              .formatted(insert.apply("prepared"), gid.textFor("s0")));
      at(
          pairs.get(SWITCHED).primary(),
          "insert into shardmark.decision (gid, committed) values ('%s', true)"
              .formatted(gid.text()));
      pair.primary().killHard();
      proxy.signal("CONT");
      CountDownLatch sent = new CountDownLatch(1);
      Future<Integer> waiting =
          clients.submit(
              () -> {
                sent.countDown();
                return outside.executeUpdate(insert.apply("after"));
              });
      sent.await();
      pair.promote();
      assertThat(Await.result(waiting)).as("a statement waits for the new primary").isOne();
      SQLException lost =
          catchThrowableOfType(SQLException.class, () -> inside.execute("select 1 from note"));
      assertThat(lost.getSQLState()).isEqualTo("40001");
      inTransaction.rollback();
      assertThat(inside.executeUpdate("update note set text = 'found' where text = 'after'"))
          .isOne();
      inTransaction.commit();
    }
    Await.until(
        "what was prepared is committed on the new primary",
        proxy::logTail,
        () -> asked(url(proxy), "select 1 from note where text = 'prepared'").size() == 1);
    assertThat(asked(pair.standby().jdbcUrl(), "select text from note order by text"))
        .containsExactly("before", "found", "prepared");
    assertThat(asked(pair.standby().jdbcUrl(), "select gid from pg_prepared_xacts")).isEmpty();
    anOldPrimaryGetsNoWrite(pair, insert.apply("old"));
  }

  private void anOldPrimaryGetsNoWrite(EmbeddedPair pair, String insert) throws Exception {
    pair.primary().restart();
    Await.until(
        "it is seen and not used",
        proxy::logTail,
        () -> proxy.logText().contains("is a primary on timeline 1, and timeline 2 exists"));
    assertThat(asked(url(proxy), "select 1 from note where text = 'found'")).hasSize(1);

    // One that cannot reach the new primary learns from the other shard that there is one.
    EmbeddedPair others = pairs.get(SWITCHED);
    String several =
        "hosts: [127.0.0.1:%d, 127.0.0.1:%d]"
            .formatted(others.primary().port(), others.standby().port());
    EmbeddedServer one = others.primary().isRunning() ? others.primary() : others.standby();
    String reached =
        config(List.of(0), "0").replace(several, "host: 127.0.0.1, port: " + one.port());
    assertThat(reached).contains("host: 127.0.0.1");
    try (ProxyProcess other = ProxyProcess.start(directory, reached)) {
      SQLException refused =
          catchThrowableOfType(
              SQLException.class, () -> asked(url(other), insert + " returning id"));
      assertThat(refused.getSQLState()).isEqualTo("08006");
      assertThat(refused.getMessage())
          .contains("shard s0 has no primary now: 127.0.0.1:")
          .contains(" is fenced");
      assertThat(asked(url(other), "select 1 from note where id = " + keys(SWITCHED).get(0)))
          .as("the other shard is served")
          .isEmpty();
    }
    assertThat(asked(pair.primary().jdbcUrl(), "select text from note")).containsExactly("before");
  }

  @Test
  void clientsHardlyNoticeASwitchover() throws Exception {
    EmbeddedPair pair = pairs.get(SWITCHED);
    AtomicInteger done = new AtomicInteger();
    ConcurrentHashMap<String, String> failures = new ConcurrentHashMap<>();
    AtomicReference<Throwable> broken = new AtomicReference<>();
    CountDownLatch over = new CountDownLatch(1);
    List<Future<?>> running = new ArrayList<>();
    AtomicInteger acknowledged = new AtomicInteger();
    List<String> keys = keys(SWITCHED);
    for (int client = 1; client <= 4; client++) {
      String id = keys.get(client);
      running.add(
          clients.submit(
              () -> {
                try (Connection connection = open();
                    Statement statement = connection.createStatement()) {
                  while (over.getCount() > 0) {
                    try {
                      statement.execute("insert into note values (%s, 'x')".formatted(id));
                      acknowledged.incrementAndGet();
                    } catch (SQLException e) {
                      failures.put(e.getSQLState(), e.getMessage());
                    }
                    done.incrementAndGet();
                  }
                } catch (SQLException e) {
                  broken.set(e);
                }
              }));
    }
    Await.until("they work", () -> done.get() > 20);
    signal(pair.primary(), "INT");
    pair.promote();
    int before = done.get();
    Await.until("they go on", proxy::logTail, () -> done.get() > before + 20);
    over.countDown();
    for (Future<?> one : running) {
      Await.result(one);
    }
    assertThat(broken.get()).as("nobody's connection to the proxy is lost").isNull();
    assertThat(failures.keySet()).isSubsetOf("08006", "40001");
    int found =
        Integer.parseInt(asked(pair.standby().jdbcUrl(), "select count(*) from note").get(0));
    assertThat(found).isGreaterThanOrEqualTo(acknowledged.get());
  }

  @Test
  void hostsAreReloaded() throws Exception {
    String place =
        "select inet_server_port(), count(*) from note where id = " + keys(KILLED).get(0);
    String port = asked(url(proxy), place).get(0);
    int primary = port.equals(Integer.toString(pairs.get(KILLED).primary().port())) ? 0 : 1;

    proxy.rewrite(config(List.of(1 - primary), "10s"));
    assertThatThrownBy(() -> administer("RELOAD"))
        .hasMessageContaining("hosts of shard s0 do not name 127.0.0.1:" + port);
    assertThat(administer("SHOW HOSTS")).hasSize(4);

    proxy.rewrite(config(List.of(primary), "10s"));
    administer("RELOAD");
    assertThat(administer("SHOW HOSTS")).containsExactly("s0", "s1", "s1");
    assertThat(asked(url(proxy), place)).containsExactly(port);

    proxy.rewrite(config(List.of(0, 1), "10s"));
    administer("RELOAD");
    assertThat(administer("SHOW HOSTS")).containsExactly("s0", "s0", "s1", "s1");
    assertThat(asked(url(proxy), place)).containsExactly(port);
  }

  /** The first column of what the admin database answers. */
  private List<String> administer(String command) throws SQLException {
    String admin = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/shardmark";
    List<String> first = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(admin + "?preferQueryMode=simple", "bench", "bench");
        Statement statement = connection.createStatement()) {
      if (statement.execute(command)) {
        try (ResultSet rows = statement.getResultSet()) {
          while (rows.next()) {
            first.add(String.valueOf(rows.getString(1)));
          }
        }
      }
    }
    return first;
  }

  @Test
  void hostsOfTwoShardsAreRefused() throws Exception {
    String yaml =
        """
        shards:
          - {name: s0, hosts: ['127.0.0.1:%d', '127.0.0.1:%d'], database: bench}
        users:
          - {name: bench, password: bench}
        """
            .formatted(pairs.get(KILLED).standby().port(), pairs.get(SWITCHED).standby().port());
    Process start = ProxyProcess.program(directory, yaml).redirectErrorStream(true).start();
    String said = new String(start.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(start.waitFor()).as(said).isOne();
    assertThat(said)
        .contains(" of shard s0 is a server of shard s1")
        .contains(" of shard s0 are of different clusters: their system identifiers are ")
        .endsWith("; nothing was changed\n");
  }
}
