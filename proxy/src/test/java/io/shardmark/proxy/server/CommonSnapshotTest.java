package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;

/**
 * Sums over accounts on three shards, through two proxies, while clients of both move money between
 * shards. {@code -Dshardmark.sums=100000} makes as many of each kind through each proxy; {@code
 * -Dshardmark.sums.kept=FILE} counts those of {@code fast} too, and writes all counts.
 */
final class CommonSnapshotTest {
  private static final @Nullable String KEPT = System.getProperty("shardmark.sums.kept");
  private static final int ACCOUNTS = 60;
  private static final int CLIENTS = 4;

  /** Of each proxy. */
  private static final int READERS = KEPT == null ? 1 : 12;

  private static final int SUMS = Integer.getInteger("shardmark.sums", 200);
  private static final String SUM = "select sum(bal) from account";

  private static RunningProxy first;
  private static RunningProxy second;

  @BeforeAll
  static void start() throws SQLException {
    first = RunningProxy.start(3, "cross_shard_isolation: snapshot");
    second = first.beside("cross_shard_isolation: snapshot");
    try (Connection connection = first.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("create table account (id integer, bal bigint) partition by hash (id)");
      for (int i = 0; i < 3; i++) {
        statement.execute(
            "create table account_%d partition of account for values with (modulus 3, remainder %1$d)"
                .formatted(i));
      }
      statement.execute("create table copy (id integer primary key, total bigint)");
      statement.execute(
          "insert into account select g, 100 from generate_series(1, " + ACCOUNTS + ") g");
      statement.execute("insert into copy values (1, 0)");
    }
    second.refresh();
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
  }

  /**
   * A server sends its buffer when that is full, in the middle of an answer: what comes before its
   * BindComplete must not keep it from being read, or all wait for one another.
   */
  @Test
  void aShardIsReadUntilItHasTakenItsSnapshot() throws IOException {
    try (WireClient client = first.login()) {
      for (int time = 0; time < 400; time++) {
        client.sendQuery("select id, bal from account where id < 0 order by id");
        assertThat(WireClient.types(client.untilReady())).isEqualTo("TCZ");
      }
    }
  }

  /** What makes a sum. */
  private enum Reader {
    SIMPLE("simple", "") {
      @Override
      long read(Connection connection, Statement statement) throws SQLException {
        return sum(statement, SUM);
      }
    },
    PREPARED("extended", "") {
      @Override
      long read(Connection connection, Statement statement) throws SQLException {
        return sum(statement, SUM);
      }
    },
    /** All shards' rows are brought to one server. */
    GATHERED("simple", "") {
      @Override
      long read(Connection connection, Statement statement) throws SQLException {
        return sum(statement, "select sum(b) from (select distinct id, bal as b from account) a");
      }
    },
    IN_TRANSACTION("extended", "read committed") {
      @Override
      long read(Connection connection, Statement statement) throws SQLException {
        statement.execute("select id from copy");
        return sum(statement, SUM);
      }
    },
    TWO_IN_A_QUERY("simple", "") {
      @Override
      long read(Connection connection, Statement statement) throws SQLException {
        return two(statement);
      }
    },
    /** Both executed before one Sync. */
    PIPELINED("extended", "") {
      @Override
      long read(Connection connection, Statement statement) throws SQLException {
        return two(statement);
      }
    },
    CURSOR("extended", "read committed") {
      @Override
      long read(Connection connection, Statement statement) throws SQLException {
        statement.setFetchSize(7);
        long sum = 0;
        try (ResultSet rows = statement.executeQuery("select bal from account")) {
          while (rows.next()) {
            sum += rows.getLong(1);
          }
        }
        return sum;
      }
    },
    REPEATABLE_READ("extended", "repeatable read") {
      @Override
      long read(Connection connection, Statement statement) throws SQLException {
        long whole = sum(statement, SUM);
        long each = 0;
        for (int shard = 0; shard < 3; shard++) {
          each += sum(statement, "select sum(bal) from account_" + shard);
        }
        return whole == each ? whole : -1;
      }
    };

    private final String protocol;
    private final String level;

    Reader(String protocol, String level) {
      this.protocol = protocol;
      this.level = level;
    }

    abstract long read(Connection connection, Statement statement) throws SQLException;

    private static long two(Statement statement) throws SQLException {
      statement.execute(SUM + "; " + SUM);
      long one = value(statement.getResultSet());
      statement.getMoreResults();
      return one == value(statement.getResultSet()) ? one : -1;
    }

    static long sum(Statement statement, String sql) throws SQLException {
      return value(statement.executeQuery(sql));
    }

    static long value(ResultSet row) throws SQLException {
      row.next();
      return row.getLong(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Reader.class)
  void sumsAreWhole(Reader reader) throws Exception {
    assertThat(wrong("consistent", reader, SUMS, first, second)).isZero();
  }

  /** The load must be able to show it. */
  @ParameterizedTest
  @MethodSource("readersOfFast")
  void fastSumsAreNot(Reader reader) throws Exception {
    try (RunningProxy fast = first.beside("scatter_reads: fast");
        RunningProxy faster = first.beside("scatter_reads: fast")) {
      int tries = 0;
      while (wrong("fast", reader, SUMS, fast, faster) == 0) {
        assertThat(++tries).isLessThan(50);
      }
    }
  }

  private static Set<Reader> readersOfFast() {
    return KEPT == null
        ? Set.of(Reader.PREPARED)
        : EnumSet.complementOf(EnumSet.of(Reader.REPEATABLE_READ));
  }

  /** How many of the sums that are made through each proxy are wrong, beside transfers. */
  private static int wrong(String reads, Reader reader, int count, RunningProxy... proxies)
      throws Exception {
    ExecutorService readers = Executors.newCachedThreadPool();
    try (Transfers transfers = new Transfers()) {
      List<Future<Integer>> each = new ArrayList<>();
      for (RunningProxy proxy : proxies) {
        for (int client = 0; client < READERS; client++) {
          each.add(readers.submit(() -> wrong(reader, proxy, count / READERS)));
        }
      }
      int wrong = 0;
      for (Future<Integer> one : each) {
        wrong += one.get();
      }
      int ended = transfers.end();
      assertThat(ended).isPositive();
      if (KEPT != null) {
        Files.writeString(
            Path.of(KEPT),
            "%s,%s,%d,%d,%d%n"
                .formatted(reads, reader, each.size() * (count / READERS), wrong, ended),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
      return wrong;
    } finally {
      readers.shutdownNow();
    }
  }

  private static int wrong(Reader reader, RunningProxy proxy, int count) throws SQLException {
    int wrong = 0;
    try (Connection connection = proxy.connect("preferQueryMode=" + reader.protocol);
        Statement statement = connection.createStatement()) {
      if (!reader.level.isEmpty()) {
        connection.setAutoCommit(false);
        statement.execute(
            "set session characteristics as transaction isolation level " + reader.level);
        connection.commit();
      }
      for (int made = 0; made < count; ) {
        try {
          if (reader.read(connection, statement) != 100L * ACCOUNTS) {
            wrong++;
          }
          made++;
          if (!connection.getAutoCommit()) {
            connection.commit();
          }
        } catch (PSQLException e) {
          // A process was held up for longer than the gate may be closed.
          assertThat(e.getSQLState()).as("%s", e).isEqualTo("40001");
          if (!connection.getAutoCommit()) {
            connection.rollback();
          }
        }
      }
    }
    return wrong;
  }

  /** As pg_dump -j and pg_dump --snapshot do. */
  @Test
  void aSnapshotIsSharedThroughAnotherProxy() throws Exception {
    try (Transfers transfers = new Transfers();
        Connection exporter = first.connect();
        Statement exporting = exporter.createStatement();
        Connection importer = second.connect();
        Statement importing = importer.createStatement()) {
      for (int i = 0; i < SUMS / 20; i++) {
        exporting.execute("begin isolation level repeatable read");
        String id = text(exporting, "select pg_catalog.pg_export_snapshot()");
        importing.execute("begin isolation level repeatable read, read only");
        importing.execute("set transaction snapshot '" + id + "'");
        String accounts = "select string_agg(id || ' ' || bal, ',' order by id) from account";
        String expected = text(exporting, accounts);
        assertThat(text(importing, accounts)).isEqualTo(expected);
        assertThat(Reader.sum(importing, SUM)).isEqualTo(100L * ACCOUNTS);
        importing.execute("commit");
        exporting.execute("commit");
      }
      assertThat(transfers.end()).isPositive();
    }
  }

  private static String text(Statement statement, String sql) throws SQLException {
    ResultSet row = statement.executeQuery(sql);
    row.next();
    return row.getString(1);
  }

  /** A server that has parsed or described a statement has a snapshot until its Sync. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "update account set bal = bal + 0",
        "insert into copy values (1001, 7)",
        "delete from copy where id > 1000",
        "select sum(bal) from account",
        "select setval('counter', (select max(id) from account))"
      })
  void aPreparedStatementAloneHasASnapshotOfAllShards(String sql) throws SQLException {
    try (Connection connection = first.connect("prepareThreshold=1");
        Statement statement = connection.createStatement()) {
      statement.execute("create sequence if not exists counter");
      statement.execute("delete from copy where id > 1000");
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (PreparedStatement prepared = connection.prepareStatement(sql)) {
        prepared.getMetaData(); // the server describes it
        for (int time = 0; time < 3; time++) {
          prepared.execute();
          statement.execute("delete from copy where id > 1000");
        }
      }
      assertThat(Reader.sum(statement, SUM)).isEqualTo(100L * ACCOUNTS);
    }
  }

  @Test
  void snapshotsOfOneShardOrOfNoneAreRefused() throws SQLException {
    try (Connection connection = first.connect();
        Statement statement = connection.createStatement()) {
      assertFails(statement, "select pg_export_snapshot()", "25001");
      statement.execute("begin isolation level repeatable read");
      assertFails(statement, "set transaction snapshot '00000004-0000001F-1'", "22023");
      statement.execute("rollback");
      statement.execute("begin isolation level repeatable read");
      Reader.sum(statement, SUM);
      assertFails(statement, "set transaction snapshot 'shardmark:s0=00000004-1'", "25001");
      statement.execute("rollback");
    }
  }

  @Test
  void aDumpWithoutItsShardIsRefused() throws SQLException {
    try (Connection connection = first.connect("ApplicationName=pg_dump");
        Statement statement = connection.createStatement()) {
      statement.execute("begin isolation level repeatable read");
      assertFails(statement, "select count(*) from pg_class", "0A000");
      statement.execute("rollback");
      statement.execute("set shardmark.shard = 's0'");
      statement.execute("begin isolation level repeatable read");
      assertThat(Reader.sum(statement, "select count(*) from pg_class")).isPositive();
      statement.execute("rollback");
    }
  }

  @Test
  void aShardThatCannotLockIsNamed() throws SQLException {
    first.onShards("alter table shardmark.gate rename to gone");
    try (Connection connection = first.connect();
        Statement statement = connection.createStatement()) {
      try {
        assertThatThrownBy(() -> Reader.sum(statement, SUM))
            .hasMessageContaining("no snapshot can be taken on shard s")
            .hasMessageContaining("relation \"shardmark.gate\" does not exist");
      } finally {
        first.onShards("alter table shardmark.gone rename to gate");
      }
      assertThat(Reader.sum(statement, SUM)).isEqualTo(100L * ACCOUNTS);
    }
  }

  private static void assertFails(Statement statement, String sql, String state) {
    assertThatThrownBy(() -> statement.execute(sql))
        .isInstanceOfSatisfying(
            PSQLException.class, e -> assertThat(e.getSQLState()).as("%s", e).isEqualTo(state));
  }

  @Test
  void serializableIsRefusedWithWhatToUse() throws SQLException {
    try (Connection connection = first.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("begin isolation level serializable");
      assertThatThrownBy(() -> statement.execute(SUM))
          .isInstanceOfSatisfying(
              PSQLException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo("0A000");
                assertThat(e.getServerErrorMessage().getHint())
                    .isEqualTo("Use REPEATABLE READ, which takes one snapshot of all shards.");
              });
    }
  }

  /** Clients of both proxies that move money; every third transfer also changes a copied table. */
  private static final class Transfers implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    private final List<Future<Integer>> clients = new ArrayList<>();

    Transfers() {
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        clients.add(threads.submit(() -> run(number)));
      }
    }

    private int run(int number) throws SQLException {
      Random random = new Random(number);
      int count = 0;
      try (Connection connection = (number % 2 == 0 ? first : second).connect();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        while (!over.get()) {
          // In one order, so that no two wait for each other.
          int from = 1 + random.nextInt(ACCOUNTS - 1);
          int to = from + 1 + random.nextInt(ACCOUNTS - from);
          int amount = random.nextInt(20) - 10;
          move(statement, from, -amount);
          move(statement, to, amount);
          connection.commit();
          count++;
        }
      }
      return count;
    }

    private static void move(Statement statement, int id, int amount) throws SQLException {
      statement.execute("update account set bal = bal + " + amount + " where id = " + id);
    }

    /** How many there were. */
    int end() throws Exception {
      over.set(true);
      int count = 0;
      for (Future<Integer> client : clients) {
        count += client.get();
      }
      return count;
    }

    @Override
    public void close() {
      over.set(true);
      threads.shutdown();
    }
  }
}
