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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is killed while a move of a partition is at a step, under writes through two proxies. A
 * trigger on the source holds the mover there: before it writes a stage, or before the decision of
 * the switch. The check takes a few of the cases; {@code -Dshardmark.move.faults=all} all of them,
 * and a point's name those there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MoveFaultsTest {
  private static final String ALL = "all";
  private static final int PARTITIONS = 4;
  private static final int ACCOUNTS = 40;
  private static final String USER = "bench";

  /** Held by the test as long as the mover shall wait, and by the trigger while it does. */
  private static final int HOLD = 471_100;

  private static final int HELD = 471_101;

  /** A server that is starting, and one without moves. */
  private static final Set<String> STARTING = Set.of("08001", "08006", "57P03", "42P01");

  /** What a move that is over may not leave on a shard. */
  private static final String LEFT =
      "select pubname::text from pg_publication"
          + " union all select subname::text from pg_subscription s join pg_database d"
          + " on d.oid = s.subdbid where d.datname = current_database()"
          + " union all select slot_name::text from pg_replication_slots"
          + " union all select gid from pg_prepared_xacts"
          + " union all select conname::text from pg_constraint where conname like 'shardmark%'";

  /** Where the mover is held. */
  private enum Point {
    COPYING,
    COMPARED,
    SWITCHED,
    /** The target's part is prepared. */
    DECISION,
    CONFIRMED,
    DONE,
    /** Of a move that is cancelled. */
    UNDONE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private enum Victim {
    MOVER,
    OTHER_PROXY,
    SOURCE,
    TARGET
  }

  private Path directory;
  private final List<EmbeddedServer> servers = new ArrayList<>();
  private final List<ProxyProcess> proxies = new ArrayList<>();

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    directory = temporary;
    for (int shard = 0; shard < 2; shard++) {
      EmbeddedServer server =
          EmbeddedServer.start(
              "embedded:postgres?fsync=off&memory=128MB&set.max_prepared_transactions=50"
                  + "&set.wal_level=logical",
              USER,
              new Secret(USER),
              USER,
              100,
              line -> {});
      servers.add(server);
      String password = Files.readString(server.logFile().resolveSibling("administrator")).strip();
      try (Connection connection =
              DriverManager.getConnection(server.jdbcUrl(), "shardmark_administrator", password);
          Statement statement = connection.createStatement()) {
        statement.execute("alter role bench superuser");
      }
    }
    proxies.add(ProxyProcess.start(directory, config()));
    proxies.add(ProxyProcess.start(directory, config()));
    try (Connection client = client(0);
        Statement statement = client.createStatement()) {
      statement.execute("create table account (id int primary key) partition by hash (id)");
      statement.execute(
          "create table entry (account int references account, number int, primary key (account,"
              + " number)) partition by hash (account)");
      for (int part = 0; part < PARTITIONS; part++) {
        for (String table : List.of("account", "entry")) {
          statement.execute(
              "create table %1$s_%2$d partition of %1$s for values with (modulus %3$d, remainder %2$d)"
                      .formatted(table, part, PARTITIONS)
                  + " with (shard = %d)".formatted(part % 2 + 1));
        }
      }
      statement.execute("insert into account select g from generate_series(1, " + ACCOUNTS + ") g");
    }
    // The first move makes the tables that the triggers are on.
    for (int shard = 0; shard < 2; shard++) {
      String partition = "account_" + (1 - shard);
      order("move partition " + partition + " to s" + shard);
      awaitOver(partition);
    }
    for (int shard = 0; shard < 2; shard++) {
      execute(
          shard,
          """
          create function public.hold() returns trigger language plpgsql as $$
          begin
            if exists (select from public.held where point = tg_argv[0] or (tg_argv[0] = ''
                       and point = to_jsonb(new) ->> 'stage')) then
              perform pg_advisory_xact_lock_shared(%2$d);
              while not pg_try_advisory_xact_lock_shared(%1$d) loop perform pg_sleep(0.01); end loop;
            end if;
            return new;
          end $$;
          create table public.held (point text);
          create trigger hold before update of stage on shardmark.move
            for each row execute function public.hold('');
          create trigger hold before insert on shardmark.decision
            for each row execute function public.hold('decision')"""
              .formatted(HOLD, HELD));
    }
  }

  @AfterAll
  void end() {
    proxies.forEach(ProxyProcess::close);
    servers.forEach(EmbeddedServer::close);
  }

  @TestFactory
  Stream<DynamicTest> aKilledProcessLeavesTheMoveDoneOrUndone() {
    List<DynamicTest> cases = new ArrayList<>();
    String wanted = System.getProperty("shardmark.move.faults", "");
    for (Point point : Point.values()) {
      for (Victim victim : Victim.values()) {
        boolean chosen =
            wanted.isEmpty()
                ? (point == Point.DECISION && victim == Victim.SOURCE)
                    || (point == Point.CONFIRMED && victim == Victim.MOVER)
                : wanted.equals(ALL) || wanted.equals(point.name());
        if (chosen) {
          cases.add(
              DynamicTest.dynamicTest(
                  "%s killed at %s".formatted(victim, point), () -> run(point, victim)));
        }
      }
    }
    return cases.stream();
  }

  private void run(Point point, Victim victim) throws Exception {
    String partition = partitionsOn(0).get(0);
    Load load = new Load();
    try (Connection holder = server(0)) {
      ShardSql.execute(holder, "insert into public.held values (?)", point.word());
      ShardSql.texts(holder, "select pg_advisory_lock(" + HOLD + ")");
      load.start();
      order("move partition " + partition + " to s1");
      if (point == Point.UNDONE) {
        cancel(holder);
      }
      Await.until(
          "the mover is at " + point,
          this::logs,
          () ->
              ShardSql.isTrue(
                  holder,
                  "select exists (select from pg_locks where locktype = 'advisory' and objid = "
                      + HELD
                      + ")"));
      kill(victim);
      if (victim != Victim.SOURCE) {
        ShardSql.execute(holder, "delete from public.held");
      }
    }
    restart(victim);
    execute(0, "delete from public.held");
    String end = awaitOver(partition);
    load.stop();
    check(partition, end, load);
    if (end.startsWith("done")) {
      // Back, so that each case begins alike.
      order("move partition " + partition + " to s0");
      awaitOver(partition);
    }
  }

  private static void cancel(Connection source) throws SQLException {
    int cancelled =
        ShardSql.execute(
            source,
            "update shardmark.move set stage = 'undoing' where id = (select max(id) from"
                + " shardmark.move) and stage in ('waiting', 'copying', 'compared')");
    assertThat(cancelled).as("cancelled in time").isEqualTo(1);
  }

  private void kill(Victim victim) throws Exception {
    switch (victim) {
      case MOVER -> proxies.get(mover()).killHard();
      case OTHER_PROXY -> proxies.get(1 - mover()).killHard();
      case SOURCE -> servers.get(0).killHard();
      case TARGET -> servers.get(1).killHard();
    }
  }

  private int mover;

  /** The proxy that has logged the latest stage. */
  private int mover() {
    String move = "move " + lastMove + " is ";
    mover = proxies.get(0).logText().contains(move) ? 0 : 1;
    return mover;
  }

  private void restart(Victim victim) throws Exception {
    switch (victim) {
      case MOVER -> proxies.set(mover, ProxyProcess.start(directory, config()));
      case OTHER_PROXY -> proxies.set(1 - mover, ProxyProcess.start(directory, config()));
      case SOURCE -> servers.get(0).restart();
      case TARGET -> servers.get(1).restart();
    }
  }

  private String lastMove = "0";

  private void order(String command) throws SQLException {
    try (Connection admin = connect(proxies.get(0).port(), "shardmark");
        Statement statement = admin.createStatement()) {
      statement.execute(command);
      lastMove =
          String.valueOf(statement.getWarnings().getMessage()).replaceAll("move (\\d+):.*", "$1");
    }
  }

  /** The stage in which the latest move is over, with its note. */
  private String awaitOver(String partition) throws SQLException {
    Await.until("the move of " + partition + " is over", this::logs, () -> !over().isEmpty());
    return over();
  }

  private String over() throws SQLException {
    for (int shard = 0; shard < 2; shard++) {
      try (Connection connection = server(shard)) {
        List<String> found =
            ShardSql.texts(
                connection,
                "select stage || ' ' || note from shardmark.move where id = ?"
                    + " and stage in ('done', 'undone')",
                Integer.valueOf(lastMove));
        if (!found.isEmpty()) {
          return found.get(0).strip();
        }
      } catch (SQLException e) {
        if (!STARTING.contains(String.valueOf(e.getSQLState()))) {
          throw e;
        }
      }
    }
    return "";
  }

  private void check(String partition, String end, Load load) throws SQLException {
    List<String> on0 = partitionsOn(0);
    List<String> on1 = partitionsOn(1);
    assertThat(on0.contains(partition)).as(end).isEqualTo(end.startsWith("undone"));
    assertThat(on1.contains(partition)).as(end).isEqualTo(end.startsWith("done"));
    assertThat(on0.size() + on1.size()).isEqualTo(PARTITIONS);
    List<Integer> numbers = numbers();
    assertThat(numbers).doesNotHaveDuplicates().containsAll(load.written);
    assertThat(load.written).isNotEmpty();
    assertThat(load.refused).doesNotContainAnyElementsOf(numbers);
    for (int shard = 0; shard < 2; shard++) {
      try (Connection connection = server(shard)) {
        assertThat(ShardSql.texts(connection, LEFT)).as("left on s" + shard).isEmpty();
        List<String> kept =
            ShardSql.texts(
                connection, "select relname from pg_class where relname like 'moved%\\_0'");
        assertThat(kept.isEmpty()).as(end).isNotEqualTo(shard == 0 && end.contains("are kept in"));
        for (String table : kept) {
          ShardSql.execute(connection, "drop table shardmark." + table);
          ShardSql.execute(connection, "drop table shardmark." + table.replaceAll("_0$", "_1"));
        }
      }
    }
  }

  /** Of all rows, when a proxy reaches all shards again. */
  private List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    Await.until(
        "all shards are read",
        this::logs,
        () -> {
          try (Connection client = client(0)) {
            numbers.addAll(ShardSql.rows(client, "select number from entry", row -> row.getInt(1)));
            return true;
          } catch (SQLException e) {
            if (!STARTING.contains(String.valueOf(e.getSQLState()))) {
              throw e;
            }
            return false;
          }
        });
    return numbers;
  }

  /** One row at a time, through both proxies in turn; a lost connection is opened again. */
  private final class Load {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final AtomicBoolean over = new AtomicBoolean();
    private final Set<Integer> written = new HashSet<>();

    /** Those of which an error says that they are not there. */
    private final Set<Integer> refused = new HashSet<>();

    private final Thread thread = new Thread(this::write, "load");

    void start() {
      thread.start();
    }

    private void write() {
      for (int turn = 0; !over.get(); turn++) {
        try (Connection client = client(turn % 2);
            Statement statement = client.createStatement()) {
          statement.execute("set statement_timeout = '20s'");
          while (!over.get()) {
            int number = NUMBERS.incrementAndGet();
            try {
              statement.execute(
                  "insert into entry values (" + (1 + number % ACCOUNTS) + ", " + number + ")");
              written.add(number);
            } catch (SQLException e) {
              if (Set.of("40001", "55P03", "57014").contains(String.valueOf(e.getSQLState()))) {
                refused.add(number);
              } else {
                throw e;
              }
            }
          }
        } catch (SQLException e) {
          // Its proxy or a shard is down; whether the last row is there, nobody has said.
        }
      }
    }

    void stop() throws InterruptedException {
      over.set(true);
      thread.join();
    }
  }

  // ---- connections

  private String config() {
    StringBuilder yaml = new StringBuilder("shards:\n");
    for (int shard = 0; shard < 2; shard++) {
      yaml.append(
          "  - {name: s%d, port: %d, database: bench}\n"
              .formatted(shard, servers.get(shard).port()));
    }
    return yaml
        + """
        users:
          - {name: bench, password: bench}
        admin_users: [bench]
        recovery_interval: 1s
        transport: nio
        event_loops: 1
        """;
  }

  private Connection client(int proxy) throws SQLException {
    return connect(proxies.get(proxy).port(), "bench");
  }

  private Connection server(int shard) throws SQLException {
    return connect(servers.get(shard).port(), "bench");
  }

  private static Connection connect(int port, String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?preferQueryMode=simple",
        USER,
        USER);
  }

  private void execute(int shard, String sql) throws SQLException {
    try (Connection connection = server(shard);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> partitionsOn(int shard) throws SQLException {
    try (Connection connection = server(shard)) {
      return ShardSql.texts(
          connection,
          "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid"
              + " where i.inhparent = 'account'::regclass order by 1");
    }
  }

  private String logs() {
    return proxies.get(0).logTail() + proxies.get(1).logTail();
  }
}
