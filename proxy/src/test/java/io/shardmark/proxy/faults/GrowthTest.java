package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import java.nio.file.Path;
import java.sql.Connection;
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

  private static GrowthCluster cluster;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    cluster = new GrowthCluster(directory, List.of(List.of("s1", "s2", "s3")));
    for (String sql :
        List.of(
            "create type mood as enum ('low', 'high')",
            "create function twice(n int) returns int immutable return 2 * n",
            "create sequence ticket",
            "create table kind (id int primary key, mood mood not null default 'low',"
                + " double int generated always as (twice(id)) stored, number serial)",
            "create index on kind (mood)",
            "create view moods as select distinct mood from kind",
            "create table account (id int primary key, bal int not null, kind int references kind,"
                + " debt int generated always as (-bal) stored)"
                + " partition by hash (id)",
            "create table entry (account int references account, amount int, note text)"
                + " partition by hash (account)")) {
      cluster.client(0, sql);
    }
    cluster.createPartitions(PARTITIONS);
    String ids = " from generate_series(1, " + ACCOUNTS + ") g";
    cluster.client(0, "insert into account select g, 0" + ids);
    cluster.client( // more in a partition than a slice of the comparison
        0, "insert into entry select g, 0, repeat('x', 1000)" + ids + ", generate_series(1, 25)");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static void awaitStage(int proxy, int move, String stage) {
    Await.until(
        "move " + move + " is " + stage,
        cluster::logs,
        () ->
            cluster.shown(proxy, "MOVES").stream()
                .anyMatch(
                    row -> row.get(0).equals(String.valueOf(move)) && row.get(4).equals(stage)));
  }

  private static int lastMove() throws SQLException {
    List<List<String>> moves = cluster.shown(0, "MOVES");
    return Integer.parseInt(moves.get(moves.size() - 1).get(0));
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

    Writers(List<Integer> proxies) {
      for (int i = 0; i < WRITERS; i++) {
        int proxy = proxies.get(i % proxies.size());
        int seed = i;
        Thread thread = new Thread(() -> write(proxy, seed));
        threads.add(thread);
        thread.start();
      }
      Thread reader = new Thread(() -> count(proxies.get(proxies.size() - 1)));
      threads.add(reader);
      reader.start();
    }

    private void count(int proxy) {
      while (!stop.get()) {
        try {
          counts.add(cluster.number(proxy, "select count(*) from account"));
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

    private void write(int proxy, int seed) {
      int turn = seed * 7919;
      while (!stop.get()) {
        try (Connection connection = cluster.open(proxy);
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

  @Test
  @Order(1)
  void aShardIsAddedWhileClientsWrite() throws Exception {
    long balance = cluster.number(0, "select sum(bal) from account");
    cluster.client(0, "insert into kind select g, 'high' from generate_series(1000, 1999) g");
    List<Long> tickets = new ArrayList<>(cluster.tickets(0, 20));
    assertThatThrownBy(() -> cluster.order(0, "ADD SHARD s3"))
        .hasMessageContaining("shard s3 is not the next one of the configuration");
    assertThatThrownBy(() -> cluster.reload(0, List.of("s3", "s1", "s2")))
        .hasMessageContaining("shards cannot change");
    Writers writers = new Writers(List.of(0, 1));
    try (writers) {
      cluster.reload(0, List.of("s1", "s2", "s3"));
      assertThat(cluster.shown(0, 2)).containsExactly("pending", "ADD SHARD has it count");
      cluster.reload(0, List.of("s1", "s2"));
      assertThat(cluster.shown(0, "SHARDS")).hasSize(2);
      cluster.reload(0, List.of("s1", "s2", "s3"));
      assertThatThrownBy(() -> cluster.order(0, "ADD SHARD s3"))
          .hasMessageContaining("a proxy is present on shard s1 and not on s3");
      cluster.append("s3");
      cluster.execute("s3", "create table extra (id int)");
      Await.until(
          "both proxies are present on s3",
          () -> cluster.refusal(0, "ADD SHARD s3").contains("it has the table public.extra"));
      cluster.execute("s3", "drop table extra");
      cluster.client(0, "create table zone (id int) partition by list (id)");
      for (String shard : List.of("s1", "s2")) { // by the proxy a partition comes to one
        cluster.execute(shard, "create table others partition of zone default");
      }
      assertThat(cluster.refusal(0, "ADD SHARD s3"))
          .contains("s1 has: the partition others, which is on several shards");
      cluster.client(0, "drop table zone");
      anAdditionIsCancelled();
      cluster.order(1, "ADD SHARD s3");
      assertThatThrownBy(() -> cluster.order(0, "REBALANCE"))
          .hasMessageContaining("s3 is being added");
      cluster.awaitUp(2);
    }

    assertThat(writers.errors.keySet()).allMatch(error -> error.startsWith("40001"));
    assertThat(writers.counts).containsOnly((long) ACCOUNTS);
    assertThat(cluster.number(0, "select sum(bal) from account") - balance)
        .isEqualTo(writers.written.sum());
    cluster.client(1, "insert into kind values (3000)");
    String kinds = "select id, mood, double, number from kind order by id";
    assertThat(cluster.rows("s3", kinds))
        .hasSizeGreaterThan(1000)
        .isEqualTo(cluster.rows("s1", kinds));
    tickets.addAll(cluster.tickets(0, 30));
    assertThat(tickets).doesNotHaveDuplicates();
    assertThat(cluster.rows("s3", "select increment_by from pg_sequences").get(0))
        .containsExactly("3");
    assertThat(cluster.shown(1, "PROBLEMS")).isEmpty();
    assertThatThrownBy(() -> cluster.order(0, "ADD SHARD s3"))
        .hasMessageContaining("shard s3 counts already");
    assertThat(cluster.left()).isEmpty();
    assertThatThrownBy(() -> cluster.order(1, "CANCEL ADD SHARD s3"))
        .hasMessageContaining("shard s3 is not being added: its addition is done");
    assertThat(cluster.refusedStart(List.of("s1", "s2")))
        .contains("shard s3 counts, and is not among them")
        .endsWith(" status 1");
  }

  private static void anAdditionIsCancelled() throws Exception {
    String objects =
        "select relname from pg_class where relname ~ '^(kind|account|ticket)$' union all"
            + " select nspname from pg_namespace where nspname = 'shardmark'";
    String increments =
        "select sequencename, increment_by, last_value from pg_sequences order by 1";
    List<List<String>> before = cluster.rows("s2", increments);
    assertThatThrownBy(() -> cluster.order(0, "CANCEL ADD SHARD s3"))
        .hasMessageContaining("shard s3 is not being added");
    try (Connection client = cluster.open(1);
        Statement statement = client.createStatement()) {
      statement.execute("begin; update account set kind = null where id = 1");
      cluster.order(0, "ADD SHARD s3");
      Await.until(
          "it waits for the transaction",
          cluster::logs,
          () -> cluster.shown(1, 2).toString().matches("\\[copied, .* do not end.*"));
      assertThat(cluster.texts("s3", objects)).hasSize(4);
      cluster.order(1, "CANCEL ADD SHARD s3");
      Await.until(
          "it is undone",
          cluster::logs,
          () -> cluster.shown(0, 2).equals(List.of("undone", "cancelled")));
      statement.execute("rollback");
    }
    assertThat(cluster.texts("s3", objects)).isEmpty();
    assertThat(cluster.rows("s2", increments)).isEqualTo(before);
  }

  @Test
  void aShardWithoutRowsGetsItsShareWhileClientsWrite() throws Exception {
    long balance = cluster.number(0, "select sum(bal) from account");
    long entries = cluster.number(0, "select count(*) from entry where amount = 1");
    Writers writers = new Writers(List.of(0, 1));
    try (writers) {
      cluster.order(0, "REBALANCE");
      assertThatThrownBy(() -> cluster.order(1, "REBALANCE")).hasMessageContaining("are not over");
      Await.until(
          "all moves are over",
          cluster::logs,
          () -> cluster.shown(1, "MOVES").stream().allMatch(row -> row.get(4).endsWith("done")));
    }

    assertThat(writers.errors.keySet()).allMatch(error -> error.startsWith("40001"));
    assertThat(writers.counts).containsOnly((long) ACCOUNTS);
    assertThat(writers.written.sum()).isPositive();
    assertThat(cluster.number(0, "select sum(bal) from account") - balance)
        .isEqualTo(writers.written.sum());
    assertThat(cluster.number(1, "select count(*) from entry where amount = 1") - entries)
        .isEqualTo(writers.written.sum());
    assertThat(cluster.number(0, "select count(*) from account")).isEqualTo(ACCOUNTS);
    assertThat(cluster.partitionsOn("s3")).hasSizeBetween(1, PARTITIONS / 2);
    assertThat(
            cluster.partitionsOn("s1").size()
                + cluster.partitionsOn("s2").size()
                + cluster.partitionsOn("s3").size())
        .isEqualTo(PARTITIONS);
    assertThat(cluster.left()).isEmpty();
    assertThat(cluster.shown(1, "PROBLEMS")).isEmpty();
    assertThat(cluster.refusedStart(List.of("s1", "s2")))
        .contains("have been moved to shard s3, which is not among them")
        .endsWith(" status 1");
  }

  @Test
  void aProxyThatDoesNotKnowAShardThatCountsServesNothing() throws Exception {
    cluster.execute("s1", "insert into shardmark.addition values ('s9', 9, 'done')");
    cluster.order(0, "RELOAD");
    Await.until(
        "statements are refused",
        cluster::logs,
        () -> answer(0).contains("shard s9 counts, and is"));
    cluster.execute("s1", "delete from shardmark.addition where name = 's9'");
    for (int proxy = 0; proxy < 2; proxy++) {
      int asked = proxy;
      cluster.order(proxy, "RELOAD");
      Await.until(
          "statements are served", cluster::logs, () -> answer(asked).equals("" + ACCOUNTS));
    }
  }

  private static String answer(int proxy) {
    try {
      return String.valueOf(cluster.number(proxy, "select count(*) from account"));
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aMoveThatIsCancelledLeavesEverythingAsBefore() throws Exception {
    List<String> before = cluster.partitionsOn("s2");
    String partition = before.get(0);
    long rows = cluster.number(0, "select count(*) from entry");
    try (Connection client = cluster.open(1);
        Statement statement = client.createStatement()) {
      statement.execute("begin; update account set bal = bal");
      cluster.client(0, "alter table " + partition + " set (shard = s1)");
      int move = lastMove();
      Await.until(
          "the move waits for the transaction",
          () -> cluster.shown(1, "MOVES").toString().contains("do not end"));
      assertThatThrownBy(() -> cluster.order(1, "MOVE PARTITION " + partition + " TO s1"))
          .hasMessageContaining(partition + " is being moved already");
      cluster.order(1, "CANCEL MOVE " + move);
      awaitStage(1, move, "undone");
      assertThatThrownBy(() -> cluster.order(1, "CANCEL MOVE " + move))
          .hasMessageContaining("move " + move + " is undone");
      statement.execute("commit");
    }

    assertThat(cluster.partitionsOn("s2")).isEqualTo(before);
    assertThat(cluster.number(0, "select count(*) from entry")).isEqualTo(rows);
    assertThat(cluster.left()).isEmpty();
    assertThat(cluster.rows("s2", "select from pg_class where relreplident = 'f'"))
        .as("tables with another replica identity")
        .isEmpty();
  }

  @Test
  void neitherClientsStatementsNorALostTargetStopAMove() throws Exception {
    String moved = cluster.partitionsOn("s1").get(0);
    int move = cluster.move(0, moved, "s2");
    awaitStage(0, move, "done");
    cluster.execute("s2", "alter table " + moved + " rename to renamed");
    cluster.execute("s1", "update shardmark.move set stage = 'switched' where id = " + move);
    awaitStage(0, move, "done");

    assertThat(cluster.shown(0, "MOVES").toString())
        .contains("have not been compared as of the switch");
    cluster.execute("s2", "alter table renamed rename to " + moved);

    // As if it had not been switched, and the target were lost for good.
    cluster.execute(
        "s1", "update shardmark.move set stage = 'undoing', target = 's9' where id = " + move);
    awaitStage(0, move, "undone");
    assertThat(cluster.left()).isEmpty();
  }

  @Test
  void ordersThatCannotBeCarriedOutSayWhy() throws Exception {
    String partition = cluster.partitionsOn("s2").get(0);

    assertThatThrownBy(() -> cluster.order(0, "MOVE PARTITION nowhere TO s1"))
        .hasMessageContaining("no shard has a partition nowhere");
    assertThatThrownBy(() -> cluster.order(0, "MOVE PARTITION account TO s1"))
        .hasMessageContaining("no shard has a partition account");
    assertThatThrownBy(() -> cluster.order(0, "MOVE PARTITION " + partition + " TO s9"))
        .hasMessageContaining("there is no shard s9: it is one of s1, s2, s3");
    assertThatThrownBy(() -> cluster.order(0, "MOVE PARTITION " + partition + " TO s2"))
        .hasMessageContaining("public." + partition + " is on shard s2 already");
    assertThatThrownBy(() -> cluster.order(0, "CANCEL MOVE 99"))
        .hasMessageContaining("there is no move 99");
    String entry = partition.replace("account", "entry");
    cluster.execute("s2", "create index extra on " + entry + " (amount)");
    assertThatThrownBy(() -> cluster.order(0, "MOVE PARTITION " + partition + " TO s1"))
        .hasMessageContaining(entry + " cannot be moved: it has an index that its table does not");
    cluster.execute("s2", "drop index extra");
    cluster.client(0, "alter table entry add size int generated always as (length(note)) stored");
    assertThatThrownBy(() -> cluster.order(0, "MOVE PARTITION " + partition + " TO s1"))
        .hasMessageContaining(entry + " cannot be moved: it has generated columns and no primary");
    cluster.client(0, "alter table entry drop size");
    cluster.execute("s1", "create table " + entry + " (id int)");
    assertThatThrownBy(() -> cluster.order(0, "MOVE PARTITION " + partition + " TO s1"))
        .hasMessageContaining(entry + " could not be moved along: its table public.entry has a");
    assertThatThrownBy(() -> cluster.order(0, "MOVE PARTITION " + entry + " TO s1"))
        .hasMessageContaining("public.entry has a bound that is not understood");
    cluster.execute("s1", "drop table " + entry);
    assertThat(cluster.left()).isEmpty();
  }
}
