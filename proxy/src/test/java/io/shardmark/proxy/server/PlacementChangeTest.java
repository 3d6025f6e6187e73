package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.placement.ProxyMeeting;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.recovery.ShardAccess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One client changes where a table's rows are; others read it all the while. {@code
 * -Dplacement.minutes=30} goes on for that time in each protocol.
 */
final class PlacementChangeTest {
  private static final int ROWS = 100;
  private static final int CHANGES = 8;
  private static final int READERS = 3;

  /** How long to go on with changes. */
  private static final Duration LENGTH =
      Duration.ofMinutes(Integer.getInteger("placement.minutes", 0));

  private static final String PLAIN = "create table moved (id int primary key, v int)";
  private static final String SHARDED =
      "create table moved (id int primary key, v int) partition by hash (id)";
  private static final String FILL =
      IntStream.rangeClosed(1, ROWS)
          .mapToObj(id -> "(" + id + ", 1)")
          .collect(Collectors.joining(", ", "insert into moved values ", ""));

  /**
   * The victim of a deadlock between a DROP and a reader of both shards, or a reader in the way.
   */
  private static final Set<String> TRY_AGAIN = Set.of("40001", "40P01");

  private static final BackgroundRunner RUNNER = new BackgroundRunner();
  private static RunningProxy proxy;
  private static DeadlockDetector detector;

  private record Shard(int index) implements ShardAccess {
    @Override
    public String name() {
      return "s" + index;
    }

    @Override
    public Connection open() throws SQLException {
      return proxy.shard(index);
    }
  }

  @BeforeAll
  static void start() {
    proxy = RunningProxy.start(2, "event_loops: 2").meetingOthers(ProxyMeeting.LIMIT);
    detector =
        new DeadlockDetector(
            List.of(new Shard(0), new Shard(1)), proxy.server(), 1, () -> {}, RUNNER);
    detector.start(Duration.ofMillis(50));
  }

  @AfterAll
  static void stop() {
    RUNNER.close();
    detector.close();
    proxy.close();
  }

  private interface Change {
    void make(Statement statement) throws SQLException;
  }

  private static void untilDone(Statement statement, Change change) throws SQLException {
    while (true) {
      try {
        change.make(statement);
        return;
      } catch (SQLException e) {
        assertThat(TRY_AGAIN).as(e.getMessage()).contains(e.getSQLState());
        statement.execute("rollback");
      }
    }
  }

  private static void makePlain(Statement statement) throws SQLException {
    statement.execute("begin");
    statement.execute("drop table if exists moved");
    statement.execute(PLAIN);
    statement.execute(FILL);
    statement.execute("commit");
  }

  private static void makeSharded(Statement statement) throws SQLException {
    statement.execute("begin");
    statement.execute("drop table if exists moved");
    statement.execute(SHARDED);
    for (int remainder = 0; remainder < 2; remainder++) {
      statement.execute(
          "create table moved_%1$d partition of moved for values with (modulus 2, remainder %1$d) with (shard = %2$d)"
              .formatted(remainder, remainder + 1));
    }
    statement.execute(FILL);
    statement.execute("commit");
  }

  /** Two schemas exchange their names, and so the places of the tables in them. */
  private static void exchangeSchemas(Statement statement) throws SQLException {
    statement.execute("begin");
    statement.execute("alter schema live rename to other");
    statement.execute("alter schema spare rename to live");
    statement.execute("alter schema other rename to spare");
    statement.execute("commit");
  }

  /** Counts what was answered until it is over; an error is no answer. */
  private static void read(
      String parameter, AtomicBoolean over, Map<String, LongAdder> answers, LongAdder errors)
      throws SQLException {
    try (Connection connection = proxy.connect(parameter);
        Statement statement = connection.createStatement()) {
      while (!over.get()) {
        try (ResultSet row = statement.executeQuery("select count(*), sum(v) from moved")) {
          assertThat(row.next()).isTrue();
          answers
              .computeIfAbsent(row.getString(1) + " " + row.getString(2), text -> new LongAdder())
              .increment();
        } catch (SQLException e) {
          assertThat(TRY_AGAIN).as(e.getMessage()).contains(e.getSQLState());
          errors.increment();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended"})
  void noReaderSeesRowsThroughAnOlderMap(String mode) throws Exception {
    try (Connection owner = proxy.connect();
        Statement statement = owner.createStatement()) {
      makePlain(statement);
      changeUnderReaders(
          statement,
          "preferQueryMode=" + mode,
          List.of(PlacementChangeTest::makeSharded, PlacementChangeTest::makePlain));
    }
  }

  @Test
  void noReaderSeesRowsOfARenamedSchemaThroughAnOlderMap() throws Exception {
    try (Connection owner = proxy.connect();
        Statement statement = owner.createStatement()) {
      statement.execute("create schema live");
      statement.execute("create schema spare");
      statement.execute("set search_path = spare");
      makeSharded(statement);
      statement.execute("set search_path = live");
      makePlain(statement);
      changeUnderReaders(
          statement,
          "currentSchema=live",
          List.of(PlacementChangeTest::exchangeSchemas, PlacementChangeTest::exchangeSchemas));
    }
  }

  /**
   * In another schema behind it in the search path is a table of the same name. The statements that
   * drop this one do not name it.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "create type k as (id int, v int); create table moved of k; $fill | drop type k cascade",
        "create schema types create table moved (id int, v int); $fill | drop schema types cascade",
        "create table base (id int, v int); create view moved as table base; $base"
            + "| drop table base cascade"
      })
  void noReaderSeesRowsThroughAnOlderMapWhenATableIsDroppedUnnamed(String make, String drop)
      throws Exception {
    try (Connection owner = proxy.connect();
        Statement statement = owner.createStatement()) {
      statement.execute("drop schema if exists live, spare cascade");
      statement.execute("create schema live");
      statement.execute("create schema spare");
      statement.execute("set search_path = spare");
      makeSharded(statement);
      statement.execute("set search_path = live, types, spare");
      Change making =
          change(make.replace("$fill", FILL).replace("$base", FILL.replace("moved", "base")));
      untilDone(statement, making);
      changeUnderReaders(
          statement, "currentSchema=live,types,spare", List.of(change(drop), making));
      statement.execute(drop);
      statement.execute("drop schema live, spare cascade");
    }
  }

  private static Change change(String sql) {
    return statement -> {
      statement.execute("begin");
      for (String each : sql.split("; ", -1)) {
        statement.execute(each);
      }
      statement.execute("commit");
    };
  }

  /**
   * @param parameter of the readers' connections
   */
  private static void changeUnderReaders(
      Statement statement, String parameter, List<Change> changes) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Map<String, LongAdder> answers = new ConcurrentHashMap<>();
    LongAdder errors = new LongAdder();
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    List<Future<?>> readers = new ArrayList<>();
    try {
      for (int reader = 0; reader < READERS; reader++) {
        readers.add(
            threads.submit(
                () -> {
                  read(parameter, over, answers, errors);
                  return null;
                }));
      }
      long endNanos = System.nanoTime() + LENGTH.toNanos();
      for (int change = 0; change < CHANGES || System.nanoTime() < endNanos; change++) {
        for (Change each : changes) {
          untilDone(statement, each);
        }
      }
      Await.until("a reader is answered", () -> !answers.isEmpty());
    } finally {
      over.set(true);
      threads.shutdown();
    }
    for (Future<?> reader : readers) {
      reader.get();
    }
    System.out.println("readers: answers %s, errors %s".formatted(answers, errors));
    assertThat(answers.keySet())
        .as("answers %s, errors %s", answers, errors)
        .containsExactly(ROWS + " " + ROWS);
  }

  @Test
  void aClientInATransactionGoesOnWithItsOwnTable() throws Exception {
    try (Connection owner = proxy.connect();
        Statement statement = owner.createStatement()) {
      makeSharded(statement);
      statement.execute("begin");
      statement.execute("drop table moved");
      statement.execute(PLAIN);
      statement.execute(FILL);
      try (ResultSet row = statement.executeQuery("select count(*) from moved")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(ROWS);
      }
      statement.execute("rollback");
      try (ResultSet row = statement.executeQuery("select count(*) from moved")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(ROWS);
      }
    }
  }

  /** How a client's DDL comes to its COMMIT. */
  private enum Ending {
    COMMAND,
    QUERY,
    SYNC;

    void of(WireClient client) throws IOException {
      switch (this) {
        case COMMAND -> {
          client.query("begin");
          client.query("drop table moved");
          client.query(PLAIN);
          client.sendQuery("commit");
        }
        case QUERY -> client.sendQuery("drop table moved; " + PLAIN);
        case SYNC ->
            client.send(
                out -> {
                  for (String sql : List.of("drop table moved", PLAIN)) {
                    FrontendMessages.parse(out, "", sql);
                    FrontendMessages.bind(out, "", "");
                    FrontendMessages.execute(out, "", 0);
                  }
                  FrontendMessages.sync(out);
                });
      }
    }
  }

  /** Has a COPY under way that names a table being moved, and that no server cancels. */
  private static WireClient inTheWay() throws Exception {
    makeOther();
    return copier(proxy);
  }

  private static void makeOther() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      makeSharded(statement);
      statement.execute("drop table if exists other");
      statement.execute("create table other (moved int)");
    }
  }

  private static WireClient copier(RunningProxy through) throws IOException {
    WireClient copier = through.login();
    copier.sendQuery("copy other (moved) from stdin");
    assertThat(WireClient.types(copier.until('G'))).isEqualTo("G");
    return copier;
  }

  private static boolean sleeps() throws SQLException {
    String query =
        "select count(*) from pg_stat_activity where datname = current_database()"
            + " and wait_event = 'PgSleep'";
    return !(proxy.onShard(0, query) + proxy.onShard(1, query)).equals("00");
  }

  /** Between its Bind and its Execute a statement has no locks on the servers. */
  @ParameterizedTest
  @CsvSource({
    "create table next_to_it (a int primary key) partition by hash (a), ''",
    "create index on moved (v), ''",
    "alter table moved add check (v < 1000), ''",
    "create view beside as select 1, ''",
    "alter table moved add w int, 40001",
    "alter table moved rename to elsewhere, 40001"
  })
  void aBoundStatementFailsOnlyIfItsTablesHaveChanged(String change, String expected)
      throws SQLException, IOException {
    try (WireClient reader = proxy.login();
        Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      untilDone(statement, PlacementChangeTest::makeSharded);
      reader.send(
          out -> {
            FrontendMessages.parse(out, "s", "select count(*) from moved");
            FrontendMessages.sync(out);
          });
      assertThat(WireClient.types(reader.untilReady())).isEqualTo("1Z");
      reader.send(
          out -> {
            FrontendMessages.bind(out, "", "s");
            FrontendMessages.flush(out);
          });
      assertThat(reader.next().orElseThrow().type()).as("BindComplete").isEqualTo('2');
      try {
        statement.execute(change);
        reader.send(
            out -> {
              FrontendMessages.execute(out, "", 0);
              FrontendMessages.sync(out);
            });
        assertThat(reader.answer()).isEqualTo(expected.isEmpty() ? "" + ROWS : expected);
      } finally {
        statement.execute("drop view if exists beside");
        statement.execute("drop table if exists next_to_it, elsewhere");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsHeldBackForAClientThatIsGone(Ending ending) throws Exception {
    try (WireClient copier = inTheWay();
        WireClient sleeper = proxy.login();
        WireClient owner = proxy.login();
        WireClient reader = proxy.login()) {
      sleeper.sendQuery("select pg_sleep(600) as moved");
      Await.until("it sleeps", PlacementChangeTest::sleeps);
      ending.of(owner);
      assertThat(sleeper.answer()).as("of what was under way").isEqualTo("40001");
      owner.reset();
      assertThat(reader.query("select count(*) from moved")).isEqualTo(String.valueOf(ROWS));
      copier.send(out -> FrontendMessages.copyFail(out, "enough"));
      assertThat(copier.answer()).isIn("40001", "57014");
    }
  }

  @Test
  void aCommitFailsIfWhatIsUnderWayDoesNotEnd() throws Exception {
    makeOther();
    try (RunningProxy impatient = proxy.beside().meetingOthers(Duration.ofSeconds(1));
        WireClient copier = copier(impatient);
        WireClient owner = impatient.login()) {
      Ending.COMMAND.of(owner);
      assertThat(owner.answer()).isEqualTo("55P03");
      assertThat(owner.query("select count(*) from moved")).isEqualTo(String.valueOf(ROWS));
      copier.send(out -> FrontendMessages.copyFail(out, "enough"));
      assertThat(copier.answer()).isEqualTo("40001");
    }
  }
}
