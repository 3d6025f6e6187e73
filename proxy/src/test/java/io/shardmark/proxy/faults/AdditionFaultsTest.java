package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.Secret;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.shards.ShardSql;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A proxy is killed while it adds a shard: before it writes a stage on the first shard, or before
 * the decision of the switch. Each case adds one shard more.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AdditionFaultsTest {
  private static final String USER = "bench";
  private static final int CASES = 4;

  /** Held by the test as long as the proxy shall wait, and by the trigger while it does. */
  private static final int HOLD = 471_200;

  private static final int HELD = 471_201;

  /** Where the proxy is held; each stage before it is written. */
  private enum Point {
    COPIED,
    DECISION,
    DONE,
    UNDONE
  }

  private Path directory;
  private EmbeddedServer server;
  private final List<ProxyProcess> proxies = new ArrayList<>();
  private final List<String> shards = new ArrayList<>(List.of("s1", "s2"));

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    directory = temporary;
    server =
        EmbeddedServer.start(
            "embedded:postgres?fsync=off&memory=128MB&set.max_prepared_transactions=50"
                + "&set.wal_level=logical",
            USER,
            new Secret(USER),
            USER,
            150,
            line -> {});
    String password = Files.readString(server.logFile().resolveSibling("administrator")).strip();
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), "shardmark_administrator", password);
        Statement statement = connection.createStatement()) {
      statement.execute("alter role bench superuser");
      for (int shard = 1; shard <= 2 + CASES; shard++) {
        statement.execute("create database s" + shard);
      }
    }
    for (int proxy = 0; proxy < 2; proxy++) {
      proxies.add(ProxyProcess.start(directory, config()));
    }
    try (Connection client = client(0);
        Statement statement = client.createStatement()) {
      statement.execute("create sequence ticket");
      statement.execute("create table item (id int primary key, price int)");
      statement.execute("insert into item select g, g from generate_series(1, 100) g");
    }
    try (Connection first = on("s1");
        Statement statement = first.createStatement()) {
      statement.execute(
          """
          create function shardmark.hold() returns trigger language plpgsql as $$
          begin
            if exists (select from shardmark.held where point = tg_argv[0] or (tg_argv[0] = ''
                       and point = to_jsonb(new) ->> 'stage')) then
              perform pg_advisory_xact_lock_shared(%2$d);
              while not pg_try_advisory_xact_lock_shared(%1$d) loop perform pg_sleep(0.01); end loop;
            end if;
            return new;
          end $$;
          create table shardmark.held (point text);
          create table shardmark.addition (name text primary key, position int not null,
            stage text not null, note text not null default '',
            changed timestamptz not null default clock_timestamp());
          create trigger hold before update of stage on shardmark.addition
            for each row execute function shardmark.hold('');
          create trigger hold before insert on shardmark.decision
            for each row execute function shardmark.hold('decision')"""
              .formatted(HOLD, HELD));
    }
  }

  @AfterAll
  void end() {
    proxies.forEach(ProxyProcess::close);
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> aKilledProxyLeavesTheShardAddedOrEmpty() {
    return Stream.of(Point.values())
        .map(point -> DynamicTest.dynamicTest("killed at " + point, () -> run(point)));
  }

  private void run(Point point) throws Exception {
    String added = "s" + (shards.size() + 1);
    shards.add(added);
    for (ProxyProcess proxy : proxies) {
      proxy.rewrite(config());
      order(proxy, "reload");
    }
    try (Connection holder = on("s1")) {
      ShardSql.execute(
          holder, "insert into shardmark.held values (?)", point.name().toLowerCase(Locale.ROOT));
      ShardSql.texts(holder, "select pg_advisory_lock(" + HOLD + ")");
      if (point == Point.UNDONE) { // found in the switch
        ShardSql.execute(holder, "alter sequence ticket increment by 7");
      }
      Await.until("the shard can be added", this::logs, () -> isOrdered(added));
      Await.until(
          "the proxy is held",
          this::logs,
          () ->
              ShardSql.isTrue(
                  holder,
                  "select exists (select from pg_locks where locktype = 'advisory' and objid = "
                      + HELD
                      + ")"));
      int adding = proxies.get(0).logText().contains("shard " + added + " is ") ? 0 : 1;
      proxies.get(adding).killHard();
      proxies.set(adding, ProxyProcess.start(directory, config()));
      ShardSql.execute(holder, "delete from shardmark.held");
    }
    String stage = point == Point.UNDONE ? "undone" : "done";
    Await.until("the addition is over", this::logs, () -> stageOf(added).equals(stage));
    if (point == Point.UNDONE) {
      assertThat(count(added, "select count(*) from pg_class where relname in ('item', 'ticket')"))
          .isZero();
      try (Connection first = on("s1")) {
        ShardSql.execute(first, "alter sequence ticket increment by " + (shards.size() - 1));
      }
      Await.until("the shard can be added again", this::logs, () -> isOrdered(added));
      Await.until("the addition is over", this::logs, () -> stageOf(added).equals("done"));
    }
    check(added);
  }

  private void check(String added) throws Exception {
    List<Long> tickets = new ArrayList<>();
    for (int proxy = 0; proxy < 2; proxy++) {
      int asked = proxy;
      Await.until(
          "the shard counts",
          this::logs,
          () -> {
            try (Connection admin = connect(proxies.get(asked).port(), "shardmark");
                Statement statement = admin.createStatement();
                var rows = statement.executeQuery("show shards")) {
              boolean up = true;
              while (rows.next()) {
                up &= rows.getString("state").equals("up");
              }
              return up;
            }
          });
      try (Connection client = client(proxy);
          Statement statement = client.createStatement()) {
        statement.execute("update item set price = price + 1");
        for (int i = 0; i < 20; i++) {
          try (var row = statement.executeQuery("select nextval('ticket')")) {
            row.next();
            tickets.add(row.getLong(1));
          }
        }
      }
    }
    assertThat(tickets).doesNotHaveDuplicates();
    String sum = "select sum(price) from item";
    for (String shard : shards) {
      assertThat(count(shard, sum)).as("rows of " + shard).isEqualTo(count(added, sum));
      assertThat(count(shard, "select count(*) from pg_prepared_xacts")).isZero();
    }
  }

  private boolean isOrdered(String added) {
    try {
      order(proxies.get(0), "add shard " + added);
      return true;
    } catch (SQLException e) {
      assertThat(String.valueOf(e.getMessage())).contains("a proxy is present on shard");
      return false;
    }
  }

  private String stageOf(String shard) throws SQLException {
    try (Connection first = on("s1")) {
      return String.join(
          "", ShardSql.texts(first, "select stage from shardmark.addition where name = ?", shard));
    }
  }

  private long count(String shard, String sql) throws SQLException {
    try (Connection connection = on(shard)) {
      return Long.parseLong(ShardSql.texts(connection, sql).get(0));
    }
  }

  private static void order(ProxyProcess proxy, String command) throws SQLException {
    try (Connection admin = connect(proxy.port(), "shardmark");
        Statement statement = admin.createStatement()) {
      statement.execute(command);
    }
  }

  private String config() {
    StringBuilder yaml = new StringBuilder("shards:\n");
    shards.forEach(
        shard ->
            yaml.append(
                "  - {name: %1$s, port: %2$d, database: %1$s}\n".formatted(shard, server.port())));
    return yaml
        + """
        users:
          - {name: bench, password: bench}
        admin_users: [bench]
        databases: [bench]
        recovery_interval: 1s
        catalog_interval: 1s
        transport: nio
        event_loops: 1
        """;
  }

  private Connection client(int proxy) throws SQLException {
    return connect(proxies.get(proxy).port(), "bench");
  }

  private Connection on(String shard) throws SQLException {
    return connect(server.port(), shard);
  }

  private static Connection connect(int port, String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?preferQueryMode=simple",
        USER,
        USER);
  }

  private String logs() {
    return proxies.get(0).logTail() + proxies.get(1).logTail();
  }
}
