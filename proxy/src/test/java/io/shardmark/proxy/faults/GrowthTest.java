package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.Secret;
import io.shardmark.proxy.Await;
import io.shardmark.sql.embedded.EmbeddedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Partitions move between shards while clients write through two proxies. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class GrowthTest {
  private static final int PARTITIONS = 8;
  private static final int ACCOUNTS = 200;
  private static final int WRITERS = 4;
  private static final List<String> SHARDS = List.of("s1", "s2", "s3");

  /** What is left on a shard by a move that is not over. */
  private static final String LEFT =
      "select pubname::text from pg_publication"
          + " union all select subname::text from pg_subscription s join pg_database d"
          + " on d.oid = s.subdbid where d.datname = current_database()"
          + " union all select slot_name::text from pg_replication_slots"
          + " where database = current_database()"
          + " union all select gid from pg_prepared_xacts where database = current_database()"
          + " union all select relname::text from pg_class where relname like 'moved%'"
          + " union all select conname::text from pg_constraint where conname like 'shardmark%'";

  @TempDir private static Path directory;
  private static EmbeddedServer server;
  private static ProxyProcess first;
  private static ProxyProcess second;

  @BeforeAll
  static void start() throws Exception {
    server =
        EmbeddedServer.start(
            "embedded:postgres?fsync=off&memory=256MB&set.max_prepared_transactions=50"
                + "&set.wal_level=logical",
            "postgres",
            new Secret("postgres"),
            "postgres",
            150,
            line -> {});
    String administrator =
        Files.readString(server.logFile().resolveSibling("administrator")).strip();
    try (Connection connection =
            DriverManager.getConnection(
                server.jdbcUrl(), "shardmark_administrator", administrator);
        Statement statement = connection.createStatement()) {
      statement.execute("alter role postgres superuser");
    }
    for (String shard : SHARDS) {
      execute("postgres", "create database " + shard);
    }
    first = ProxyProcess.start(directory, config(SHARDS.subList(0, 2)));
    second = ProxyProcess.start(directory, config(SHARDS.subList(0, 2)));
    try (Connection connection = through(first);
        Statement statement = connection.createStatement()) {
      statement.execute("create type mood as enum ('low', 'high')");
      statement.execute("create function twice(n int) returns int immutable return 2 * n");
      statement.execute("create sequence ticket");
      statement.execute(
          "create table kind (id int primary key, mood mood not null default 'low',"
              + " double int generated always as (twice(id)) stored, number serial)");
      statement.execute("create index on kind (mood)");
      statement.execute("create view moods as select distinct mood from kind");
      statement.execute(
          "create table account (id int primary key, bal int not null, kind int references kind)"
              + " partition by hash (id)");
      statement.execute(
          "create table entry (account int references account, amount int, note text)"
              + " partition by hash (account)");
      for (int part = 0; part < PARTITIONS; part++) {
        for (String table : List.of("account", "entry")) {
          statement.execute(
              "create table %1$s_%2$d partition of %1$s for values with (modulus %3$d, remainder %2$d)"
                      .formatted(table, part, PARTITIONS)
                  + " with (shard = %d)".formatted(part % 2 + 1));
        }
      }
      statement.execute(
          "insert into account select g, 0 from generate_series(1, " + ACCOUNTS + ") g");
      statement.execute(
          "insert into entry select g, 0, repeat('x', 1000) from generate_series(1, "
              + ACCOUNTS
              + ") g");
    }
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
    server.close();
  }

  private static String config(List<String> shards) {
    StringBuilder yaml = new StringBuilder("shards:\n");
    shards.forEach(
        shard ->
            yaml.append(
                "  - {name: %1$s, port: %2$d, database: %1$s}\n".formatted(shard, server.port())));
    return yaml
        + """
        users:
          - {name: postgres, password: postgres}
        admin_users: [postgres]
        databases: [test]
        recovery_interval: 1s
        transport: nio
        event_loops: 1
        """;
  }

  private static Connection through(ProxyProcess proxy) throws SQLException {
    return open(proxy.port(), "test");
  }

  private static Connection open(int port, String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?preferQueryMode=simple",
        "postgres",
        "postgres");
  }

  private static void execute(String database, String sql) throws SQLException {
    try (Connection connection = open(server.port(), database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<List<String>> rows(int port, String database, String sql)
      throws SQLException {
    try (Connection connection = open(port, database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<List<String>> found = new ArrayList<>();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(String.valueOf(rows.getString(i)));
        }
        found.add(row);
      }
      return found;
    }
  }

  private static void order(ProxyProcess proxy, String command) throws SQLException {
    try (Connection connection = open(proxy.port(), "shardmark");
        Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }

  private static void execute(ProxyProcess proxy, String sql) throws SQLException {
    try (Connection connection = through(proxy);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<List<String>> moves(ProxyProcess proxy) throws SQLException {
    return rows(proxy.port(), "shardmark", "SHOW MOVES");
  }

  private static void awaitStage(ProxyProcess proxy, int move, String stage) {
    Await.until(
        "move " + move + " is " + stage,
        () -> first.logTail() + second.logTail(),
        () ->
            moves(proxy).stream()
                .anyMatch(
                    row -> row.get(0).equals(String.valueOf(move)) && row.get(4).equals(stage)));
  }

  private static int lastMove(ProxyProcess proxy) throws SQLException {
    List<List<String>> moves = moves(proxy);
    return Integer.parseInt(moves.get(moves.size() - 1).get(0));
  }

  private static List<String> partitionsOn(String shard) throws SQLException {
    return rows(
            server.port(),
            shard,
            "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid"
                + " where i.inhparent = 'account'::regclass order by 1")
        .stream()
        .map(row -> row.get(0))
        .toList();
  }

  private static void assertNothingLeft() throws SQLException {
    for (String shard : SHARDS) {
      assertThat(rows(server.port(), shard, LEFT)).as("left on " + shard).isEmpty();
    }
  }

  /**
   * Clients that write one or two accounts at a time, one of them also rows of a reference table
   * that an account refers to for a moment, and one that counts; the errors that they got.
   */
  private static final class Writers implements AutoCloseable {
    private final AtomicBoolean stop = new AtomicBoolean();
    private final LongAdder written = new LongAdder();
    private final Map<String, AtomicInteger> errors = new ConcurrentHashMap<>();
    private final Set<Long> counts = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new ArrayList<>();

    Writers(List<ProxyProcess> proxies) {
      for (int i = 0; i < WRITERS; i++) {
        ProxyProcess proxy = proxies.get(i % proxies.size());
        int seed = i;
        Thread thread = new Thread(() -> write(proxy, seed));
        threads.add(thread);
        thread.start();
      }
      Thread reader = new Thread(() -> count(proxies.get(proxies.size() - 1)));
      threads.add(reader);
      reader.start();
    }

    private void count(ProxyProcess proxy) {
      while (!stop.get()) {
        try {
          counts.add(number(proxy, "select count(*) from account"));
        } catch (SQLException e) {
          count(e);
        }
      }
    }

    private static void changeKind(Connection connection, Statement statement, int kind)
        throws SQLException {
      String account = " where id = " + (1 + kind % ACCOUNTS);
      statement.execute("insert into kind values (" + kind + ") on conflict do nothing");
      statement.execute("update account set kind = " + kind + account);
      connection.commit();
      statement.execute("update account set kind = null" + account);
      statement.execute("delete from kind where id = " + kind);
      connection.commit();
    }

    private void write(ProxyProcess proxy, int seed) {
      int turn = seed * 7919;
      while (!stop.get()) {
        try (Connection connection = through(proxy);
            Statement statement = connection.createStatement()) {
          connection.setAutoCommit(false);
          while (!stop.get()) {
            turn++;
            List<Integer> ids = List.of(1 + turn % ACCOUNTS, 1 + turn * 31 % ACCOUNTS);
            try {
              for (int id : ids.stream().sorted().distinct().toList()) {
                statement.execute("update account set bal = bal + 1 where id = " + id);
                statement.execute("insert into entry values (" + id + ", 1, 'n')");
                statement.execute(
                    "update entry set amount = 1 where account = " + id + " and amount = 1");
              }
              connection.commit();
              written.add(ids.stream().distinct().count());
              if (seed == 0 && turn % 4 == 0) { // two that write it may close a deadlock
                changeKind(connection, statement, turn);
              }
            } catch (SQLException e) {
              count(e);
              connection.rollback();
            }
          }
        } catch (SQLException e) {
          count(e);
        }
      }
    }

    private void count(SQLException e) {
      errors
          .computeIfAbsent(e.getSQLState() + " " + e.getMessage(), first -> new AtomicInteger())
          .incrementAndGet();
    }

    @Override
    public void close() {
      stop.set(true);
      try {
        for (Thread thread : threads) {
          thread.join();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static long number(ProxyProcess proxy, String sql) throws SQLException {
    return Long.parseLong(rows(proxy.port(), "test", sql).get(0).get(0));
  }

  private static List<String> shard3(ProxyProcess proxy) throws SQLException {
    return rows(proxy.port(), "shardmark", "SHOW SHARDS").get(2);
  }

  /** Sequences give each number once, whichever shard gives it. */
  private static List<Long> tickets(int count) throws SQLException {
    List<Long> tickets = new ArrayList<>();
    try (Connection connection = through(first);
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < count; i++) {
        try (ResultSet row = statement.executeQuery("select nextval('ticket')")) {
          row.next();
          tickets.add(row.getLong(1));
        }
      }
    }
    return tickets;
  }

  @Test
  @Order(1)
  void aShardIsAddedWhileClientsWrite() throws Exception {
    long balance = number(first, "select sum(bal) from account");
    execute(first, "insert into kind select g, 'high' from generate_series(1000, 1999) g");
    List<Long> tickets = new ArrayList<>(tickets(20));
    assertThatThrownBy(() -> order(first, "ADD SHARD s3"))
        .hasMessageContaining("shard s3 is not the next one of the configuration");
    first.rewrite(config(List.of("s3", "s1", "s2")));
    assertThatThrownBy(() -> order(first, "RELOAD")).hasMessageContaining("shards cannot change");
    Writers writers = new Writers(List.of(first, second));
    try (writers) {
      first.rewrite(config(SHARDS));
      order(first, "RELOAD");
      assertThat(shard3(first).subList(5, 7)).containsExactly("pending", "ADD SHARD has it count");
      assertThatThrownBy(() -> order(first, "ADD SHARD s3"))
          .hasMessageContaining("a proxy is present on shard s1 and not on s3");
      second.rewrite(config(SHARDS));
      order(second, "RELOAD");
      execute("s3", "create table extra (id int)");
      Await.until(
          "both proxies are present on s3",
          () -> refusal().contains("it has the table public.extra"));
      execute("s3", "drop table extra");
      order(second, "ADD SHARD s3");
      assertThatThrownBy(() -> order(first, "REBALANCE")).hasMessageContaining("s3 is being added");
      for (ProxyProcess proxy : List.of(first, second)) {
        Await.until(
            "s3 counts",
            () -> first.logTail() + second.logTail(),
            () -> shard3(proxy).get(5).equals("up"));
      }
    }

    assertThat(writers.errors.keySet()).allMatch(error -> error.startsWith("40001"));
    assertThat(writers.counts).containsOnly((long) ACCOUNTS);
    assertThat(number(first, "select sum(bal) from account") - balance)
        .isEqualTo(writers.written.sum());
    execute(second, "insert into kind values (3000)");
    String kinds = "select id, mood, double, number from kind order by id";
    assertThat(rows(server.port(), "s3", kinds))
        .hasSizeGreaterThan(1000)
        .isEqualTo(rows(server.port(), "s1", kinds));
    tickets.addAll(tickets(30));
    assertThat(tickets).doesNotHaveDuplicates();
    assertThat(rows(server.port(), "s3", "select increment_by from pg_sequences").get(0))
        .containsExactly("3");
    assertThat(rows(second.port(), "shardmark", "SHOW PROBLEMS")).isEmpty();
    assertThatThrownBy(() -> order(first, "ADD SHARD s3"))
        .hasMessageContaining("shard s3 counts already");
    assertNothingLeft();
    Process old = ProxyProcess.program(directory, config(List.of("s1", "s2"))).start();
    assertThat(new String(old.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("shard s3 counts, and is not among them");
    assertThat(old.waitFor()).isEqualTo(1);
  }

  private static String refusal() {
    try {
      order(first, "ADD SHARD s3");
      return "";
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aShardWithoutRowsGetsItsShareWhileClientsWrite() throws Exception {
    long balance = number(first, "select sum(bal) from account");
    long entries = number(first, "select count(*) from entry where amount = 1");
    Writers writers = new Writers(List.of(first, second));
    try (writers) {
      order(first, "REBALANCE");
      assertThatThrownBy(() -> order(second, "REBALANCE")).hasMessageContaining("are not over");
      Await.until(
          "all moves are over",
          () -> first.logTail() + second.logTail(),
          () -> moves(second).stream().allMatch(row -> row.get(4).endsWith("done")));
    }

    assertThat(writers.errors.keySet()).allMatch(error -> error.startsWith("40001"));
    assertThat(writers.counts).containsOnly((long) ACCOUNTS);
    assertThat(writers.written.sum()).isPositive();
    assertThat(number(first, "select sum(bal) from account") - balance)
        .isEqualTo(writers.written.sum());
    assertThat(number(second, "select count(*) from entry where amount = 1") - entries)
        .isEqualTo(writers.written.sum());
    assertThat(number(first, "select count(*) from account")).isEqualTo(ACCOUNTS);
    assertThat(partitionsOn("s3")).hasSizeBetween(1, PARTITIONS / 2);
    assertThat(partitionsOn("s1").size() + partitionsOn("s2").size() + partitionsOn("s3").size())
        .isEqualTo(PARTITIONS);
    assertNothingLeft();
    assertThat(rows(second.port(), "shardmark", "SHOW PROBLEMS")).isEmpty();
    Process old = ProxyProcess.program(directory, config(List.of("s1", "s2"))).start();
    assertThat(new String(old.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("have been moved to shard s3, which is not among them");
    assertThat(old.waitFor()).isEqualTo(1);
  }

  @Test
  void aProxyThatDoesNotKnowAShardThatCountsServesNothing() throws Exception {
    execute("s1", "insert into shardmark.addition values ('s9', 9, 'done')");
    order(first, "RELOAD");
    Await.until(
        "statements are refused",
        first::logTail,
        () -> answer(first).contains("shard s9 counts, and is"));
    execute("s1", "delete from shardmark.addition where name = 's9'");
    for (ProxyProcess proxy : List.of(first, second)) {
      order(proxy, "RELOAD");
      Await.until(
          "statements are served", proxy::logTail, () -> answer(proxy).equals("" + ACCOUNTS));
    }
  }

  private static String answer(ProxyProcess proxy) {
    try {
      return String.valueOf(number(proxy, "select count(*) from account"));
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void anotherProxyEndsTheMoveOfOneThatIsKilled() throws Exception {
    String moved = partitionsOn("s1").get(0);
    long balance = number(second, "select sum(bal) from account");
    Writers writers = new Writers(List.of(second));
    try (writers) {
      order(first, "MOVE PARTITION " + moved + " TO s2");
      int move = lastMove(second);
      first.killHard();
      awaitStage(second, move, "done");
    }
    first = ProxyProcess.start(directory, config(SHARDS));

    assertThat(writers.errors.keySet()).allMatch(error -> error.startsWith("40001"));
    assertThat(writers.counts).containsOnly((long) ACCOUNTS);
    assertThat(number(second, "select sum(bal) from account") - balance)
        .isEqualTo(writers.written.sum());
    assertThat(partitionsOn("s2")).contains(moved);
    assertNothingLeft();
  }

  @Test
  void aMoveThatIsCancelledLeavesEverythingAsBefore() throws Exception {
    List<String> before = partitionsOn("s2");
    String partition = before.get(0);
    long rows = number(first, "select count(*) from entry");
    try (Connection client = through(second);
        Statement statement = client.createStatement()) {
      statement.execute("begin; update account set bal = bal");
      execute(first, "alter table " + partition + " set (shard = s1)");
      int move = lastMove(first);
      Await.until(
          "the move waits for the transaction",
          () -> moves(second).toString().contains("do not end"));
      assertThatThrownBy(() -> order(second, "MOVE PARTITION " + partition + " TO s1"))
          .hasMessageContaining(partition + " is being moved already");
      order(second, "CANCEL MOVE " + move);
      awaitStage(second, move, "undone");
      assertThatThrownBy(() -> order(second, "CANCEL MOVE " + move))
          .hasMessageContaining("move " + move + " is undone");
      statement.execute("commit");
    }

    assertThat(partitionsOn("s2")).isEqualTo(before);
    assertThat(number(first, "select count(*) from entry")).isEqualTo(rows);
    assertNothingLeft();
    assertThat(rows(server.port(), "s2", "select from pg_class where relreplident = 'f'"))
        .as("tables with another replica identity")
        .isEmpty();
  }

  @Test
  void whatClientsDoToTablesThatHaveMovedDoesNotKeepTheMove() throws Exception {
    String moved = partitionsOn("s1").get(0);
    order(first, "MOVE PARTITION " + moved + " TO s2");
    int move = lastMove(first);
    awaitStage(first, move, "done");
    execute("s2", "alter table " + moved + " rename to renamed");
    execute("s1", "update shardmark.move set stage = 'switched' where id = " + move);
    awaitStage(first, move, "done");

    assertThat(moves(first).toString()).contains("have not been compared as of the switch");
    execute("s2", "alter table renamed rename to " + moved);
    assertNothingLeft();
  }

  @Test
  void aMoveToAShardThatIsGoneCanBeUndone() throws Exception {
    order(first, "MOVE PARTITION " + partitionsOn("s2").get(1) + " TO s1");
    int move = lastMove(first);
    awaitStage(first, move, "done");
    execute("s2", "update shardmark.move set stage = 'undoing', target = 's9' where id = " + move);
    awaitStage(first, move, "undone");
    assertNothingLeft();
  }

  @Test
  void ordersThatCannotBeCarriedOutSayWhy() throws Exception {
    String partition = partitionsOn("s2").get(0);

    assertThatThrownBy(() -> order(first, "MOVE PARTITION nowhere TO s1"))
        .hasMessageContaining("no shard has a partition nowhere");
    assertThatThrownBy(() -> order(first, "MOVE PARTITION account TO s1"))
        .hasMessageContaining("no shard has a partition account");
    assertThatThrownBy(() -> order(first, "MOVE PARTITION " + partition + " TO s9"))
        .hasMessageContaining("there is no shard s9: it is one of s1, s2, s3");
    assertThatThrownBy(() -> order(first, "MOVE PARTITION " + partition + " TO s2"))
        .hasMessageContaining("public." + partition + " is on shard s2 already");
    assertThatThrownBy(() -> order(first, "CANCEL MOVE 99"))
        .hasMessageContaining("there is no move 99");
    String entry = partition.replace("account", "entry");
    execute("s2", "create index extra on " + entry + " (amount)");
    assertThatThrownBy(() -> order(first, "MOVE PARTITION " + partition + " TO s1"))
        .hasMessageContaining(entry + " cannot be moved: it has an index that its table does not");
    execute("s2", "drop index extra");
    execute("s1", "create table " + entry + " (id int)");
    assertThatThrownBy(() -> order(first, "MOVE PARTITION " + partition + " TO s1"))
        .hasMessageContaining("shard s1 has a table already that is called public." + entry);
    execute("s1", "drop table " + entry);
    assertNothingLeft();
  }
}
