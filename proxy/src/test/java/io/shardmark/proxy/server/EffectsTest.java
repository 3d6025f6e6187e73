package io.shardmark.proxy.server;

import static io.shardmark.proxy.server.RandomPipeline.bind;
import static io.shardmark.proxy.server.RandomPipeline.describePortal;
import static io.shardmark.proxy.server.RandomPipeline.execute;
import static io.shardmark.proxy.server.RandomPipeline.parse;
import static io.shardmark.proxy.server.RandomPipeline.query;
import static io.shardmark.proxy.server.RandomPipeline.sync;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.server.Twins.Batch;
import io.shardmark.proxy.server.Twins.Sent;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a statement that is passed on leaves on its server is there if it has succeeded, and not
 * else: the name of a cursor, and that the client keeps the connection.
 */
final class EffectsTest {
  /** Keys of both shards. */
  private static final String ROWS = "insert into t select g, g from generate_series(1, 6) g";

  @AutoClose private static Twins twins;
  @AutoClose private static RunningProxy one;

  @BeforeAll
  static void start() throws SQLException, IOException {
    twins = new Twins(2);
    one = RunningProxy.start(1, "pool_size: 2");
  }

  /** How a client sends its statements. */
  enum Sending {
    /** One by one, and waits for each. */
    QUERIES {
      @Override
      List<Batch> batches(String... statements) {
        return Stream.of(statements).map(sql -> new Batch(List.of(query(sql)))).toList();
      }
    },
    /** All at once. */
    QUERIES_AT_ONCE {
      @Override
      List<Batch> batches(String... statements) {
        return List.of(new Batch(Stream.of(statements).map(RandomPipeline::query).toList()));
      }
    },
    /** One by one, and waits for each. */
    PIPELINES {
      @Override
      List<Batch> batches(String... statements) {
        return Stream.of(statements).map(sql -> new Batch(pipeline(sql))).toList();
      }
    },
    /** All at once, each with its Sync. */
    PIPELINES_AT_ONCE {
      @Override
      List<Batch> batches(String... statements) {
        List<Sent> all = new ArrayList<>();
        Stream.of(statements).forEach(sql -> all.addAll(pipeline(sql)));
        return List.of(new Batch(all));
      }
    };

    abstract List<Batch> batches(String... statements);
  }

  private static List<Sent> pipeline(String... statements) {
    List<Sent> all = new ArrayList<>();
    for (String sql : statements) {
      all.addAll(List.of(parse("", sql), bind("", ""), describePortal(""), execute("", 0)));
    }
    all.add(sync());
    return all;
  }

  private static String held(String query) {
    return "declare h cursor with hold for " + query;
  }

  private static String row(int key) {
    return "select k, v from t where k = " + key;
  }

  /** Fails when its rows are fetched: the server does that when the transaction ends. */
  private static String failing(int key) {
    return "select v / (k - k) from t where k = " + key;
  }

  /** Whatever the shards of two keys. */
  private static void assertSame(Sending sending, Function<Integer, String[]> ofKey)
      throws SQLException, IOException {
    for (int key = 2; key <= 6; key++) {
      List<Batch> batches = new ArrayList<>(Sending.QUERIES.batches(ROWS));
      batches.addAll(sending.batches(ofKey.apply(key)));
      twins.assertSame(batches);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailedDeclareLeavesTheNameFree(Sending sending) throws SQLException, IOException {
    assertSame(
        sending,
        key ->
            new String[] {
              held(failing(1)),
              "fetch h",
              held("select nosuch from t where k = 1"),
              held(row(key)),
              "fetch h",
              "fetch h",
              "close h",
              held(row(1)),
              "fetch h",
            });
  }

  @ParameterizedTest
  @EnumSource
  void aFailedTransactionLeavesTheNameFree(Sending sending) throws SQLException, IOException {
    assertSame(
        sending,
        key ->
            new String[] {
              "begin",
              held(row(1)),
              "fetch h",
              "rollback",
              "fetch h",
              "begin",
              held(failing(1)),
              "commit",
              held(row(key)),
              "fetch h",
              "begin",
              "savepoint a",
              "declare c cursor for " + row(1),
              "rollback to a",
              "declare c cursor for " + row(key),
              "fetch c",
              "commit",
              "fetch c",
              "fetch h",
            });
  }

  @ParameterizedTest
  @EnumSource
  void aNameThatIsTakenStaysThatOfTheFirst(Sending sending) throws SQLException, IOException {
    assertSame(
        sending,
        key ->
            new String[] {
              held(row(1)),
              held(row(key)),
              held(row(1)),
              "fetch h",
              "begin",
              held(row(1)),
              "rollback",
              "fetch backward 1 from h",
              "begin",
              "declare c cursor for select v from t where k = 1",
              "savepoint a",
              "declare c cursor for " + row(1),
              "rollback to a",
              "declare c cursor for " + row(key),
              "rollback to a",
              "declare c no scroll cursor for select k from t order by k",
              "rollback to a",
              "fetch c",
              "commit",
              "fetch h",
            });
  }

  /** Up to a Sync all is one transaction. */
  @Test
  void whatFailsBehindADeclareUndoesIt() throws SQLException, IOException {
    for (int key = 2; key <= 6; key++) {
      twins.assertSame(
          List.of(
              new Batch(List.of(query(ROWS))),
              new Batch(pipeline(held(row(1)), "fetch h", "select 1 / 0")),
              new Batch(pipeline("fetch h")),
              new Batch(pipeline(held(row(key)), row(1), "fetch h")),
              new Batch(pipeline(held(row(1)))),
              new Batch(pipeline("fetch prior from h", "close h", held(row(1)), "fetch h"))));
    }
  }

  /** A Bind alone executes nothing. */
  @Test
  void aDeclareThatIsOnlyBoundDeclaresNothing() throws SQLException, IOException {
    for (int key = 2; key <= 6; key++) {
      twins.assertSame(
          List.of(
              new Batch(List.of(query(ROWS))),
              new Batch(List.of(parse("", held(row(1))), bind("", ""), sync())),
              new Batch(pipeline("fetch h")),
              new Batch(pipeline(held(row(key)))),
              new Batch(pipeline("fetch h"))));
    }
  }

  private static void assertUnpinned(RunningProxy proxy, Sending sending, String... statements)
      throws IOException {
    long pinned = proxy.sum(LoopCounter.SESSIONS_PINNED);
    try (WireClient client = proxy.login()) {
      send(client, sending, statements);
      assertThat(proxy.sum(LoopCounter.SESSIONS_PINNED))
          .as("%s", Arrays.asList(statements))
          .isEqualTo(pinned);
      assertThat(proxy.holders()).as("%s", Arrays.asList(statements)).isZero();
    }
  }

  private static List<WireClient.Message> send(
      WireClient client, Sending sending, String... statements) throws IOException {
    List<WireClient.Message> answers = new ArrayList<>();
    for (Batch batch : sending.batches(statements)) {
      client.sendBytes(batch.bytes());
      for (Sent message : batch.messages()) {
        if (message.ready()) {
          answers.addAll(client.untilReady());
        }
      }
    }
    return answers;
  }

  @ParameterizedTest
  @EnumSource
  void whatHasFailedKeepsNoConnection(Sending sending) throws IOException {
    for (String statements :
        List.of(
            "prepare p as select nosuch",
            "execute nosuch",
            "load 'nosuch'",
            "set seed = 2",
            "create temp table x as select 1 / 0 as v",
            "select 1 / 0 as v into temp x",
            "declare h cursor with hold for select 1 / 0",
            "begin; declare h cursor with hold for select 1 / 0; commit",
            "begin; create temp table x (v int); rollback",
            "begin; create temp table x (v int); select 1 / 0; commit",
            "begin; listen a; rollback",
            "begin; listen a; listen b; rollback; select 1",
            "begin; declare h cursor with hold for select 1; abort")) {
      assertUnpinned(one, sending, statements.split("; ", -1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatHasSucceededKeepsItsConnection(Sending sending) throws IOException {
    for (String statements :
        List.of(
            "create temp table x as select 7 as v; select v from x",
            "create temp table y as select 1 / 0; create temp table x as select 7 as v;"
                + " select 1 / 0; select v from x",
            "begin; create temp table x as select 7 as v; commit; select v from x",
            "begin; create temp table y (v int); rollback;"
                + " create temp table x as select 7 as v; select v from x",
            "prepare p as select 7; execute p",
            "begin; prepare p as select 7; rollback; execute p",
            "begin; create temp table y (v int); prepare p as select 7; rollback; execute p",
            "declare h cursor with hold for select 7; fetch h",
            "begin; declare h cursor with hold for select 7; commit; fetch h")) {
      long pinned = one.sum(LoopCounter.SESSIONS_PINNED);
      try (WireClient client = one.login();
          WireClient other = one.login()) {
        List<WireClient.Message> answers = send(client, sending, statements.split("; ?", -1));
        // Whoever is next gets another connection.
        assertThat(other.query("select 1")).isEqualTo("1");
        assertThat(last(answers)).as(statements).isEqualTo("7");
        assertThat(one.sum(LoopCounter.SESSIONS_PINNED)).as(statements).isEqualTo(pinned + 1);
        assertThat(one.holders()).as(statements).isOne();
      }
    }
  }

  private static String last(List<WireClient.Message> answers) {
    List<WireClient.Message> rows =
        answers.stream().filter(answer -> answer.type() == 'D').toList();
    return rows.isEmpty() ? "" : rows.get(rows.size() - 1).firstColumn();
  }

  /** What no rollback undoes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select pg_advisory_lock(7), 1 / (random() * 0)::int",
        "select pg_try_advisory_lock(7) as v, 1 / (random() * 0)::int as w into temp x",
        "create temp table x as select pg_try_advisory_lock(7), 1 / (random() * 0)::int",
        "declare h cursor with hold for select pg_try_advisory_lock(7), 1 / (random() * 0)::int",
        "begin; select pg_advisory_lock(7); rollback"
      })
  void aLockIsKeptThoughItsStatementFails(String statements) throws IOException {
    try (WireClient client = one.login();
        WireClient other = one.login()) {
      send(client, Sending.QUERIES, statements.split("; ", -1));
      assertThat(other.query("select pg_try_advisory_lock(7)")).isEqualTo("f");
      assertThat(client.query("select pg_advisory_unlock(7)")).isEqualTo("t");
    }
  }

  @Test
  void aStatementIsPreparedThoughTheNextOfItsQueryFails() throws IOException {
    try (WireClient client = one.login()) {
      assertThat(client.query("prepare p as select 7; select 1 / 0")).isEqualTo("22012");
      assertThat(one.holders()).isOne();
      assertThat(client.query("execute p")).isEqualTo("7");
    }
  }

  @Test
  void aBlockThatHasCommittedBeforeItFailsKeepsItsConnection() throws IOException {
    try (WireClient client = one.login()) {
      String block =
          "do $$ begin create temp table x as select 7 as v; commit; perform 1 / 0; end $$";
      assertThat(client.query(block)).isEqualTo("22012");
      assertThat(client.query("select v from x")).isEqualTo("7");
    }
  }

  @Test
  void listensOnlyOnceThatIsCommitted() throws IOException {
    try (WireClient client = one.login();
        WireClient other = one.login()) {
      client.query("begin");
      client.query("listen a");
      client.query("rollback");
      assertThat(one.holders()).isZero();
      client.query("listen a");
      assertThat(one.holders()).isOne();
      other.query("notify a");
      assertThat(client.until('A')).isNotEmpty();
    }
  }
}
