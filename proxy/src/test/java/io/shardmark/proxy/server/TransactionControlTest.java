package io.shardmark.proxy.server;

import static io.shardmark.proxy.server.RandomPipeline.bind;
import static io.shardmark.proxy.server.RandomPipeline.closePortal;
import static io.shardmark.proxy.server.RandomPipeline.describePortal;
import static io.shardmark.proxy.server.RandomPipeline.execute;
import static io.shardmark.proxy.server.RandomPipeline.parse;
import static io.shardmark.proxy.server.RandomPipeline.query;
import static io.shardmark.proxy.server.RandomPipeline.sync;

import io.shardmark.proxy.server.Twins.Batch;
import io.shardmark.proxy.server.Twins.Sent;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transaction control wherever it may stand: the same answers and rows as of a plain server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TransactionControlTest {
  private static final String ONE = "insert into t values (1, 1)";
  private static final String TWO = "insert into t values (2, 2)";
  private static final String BOTH = "insert into t values (3, 3), (4, 4), (5, 5)";

  @AutoClose private Twins oneShard;
  @AutoClose private Twins threeShards;

  @BeforeAll
  void start() throws SQLException, IOException {
    oneShard = new Twins(1);
    threeShards = new Twins(3, "cross_shard_isolation: per_shard");
  }

  /** Statements in one pipeline up to Sync. */
  private static Batch pipeline(String... statements) {
    List<Sent> messages = new ArrayList<>();
    for (String sql : statements) {
      messages.addAll(List.of(parse("", sql), bind("", ""), execute("", 0)));
    }
    messages.add(sync());
    return new Batch(messages);
  }

  /** Each of the pipelines by itself on new clients and empty tables, in both clusters. */
  private void assertSame(Batch... batches) throws SQLException, IOException {
    oneShard.assertSame(List.of(batches));
    threeShards.assertSame(List.of(batches));
  }

  /** It sets what it names for the session, and nothing else that SET LOCAL has changed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "isolation to 'repeatable read' | read write",
        "isolation to 'repeatable read' | not deferrable",
        "read_only to on | isolation level repeatable read",
        "read_only to on | isolation level read committed",
        "read_only to on | isolation level serializable, deferrable",
        "deferrable to on | isolation level read uncommitted read only"
      })
  void characteristicsOfTheSessionAreThoseThatAreNamed(String statements)
      throws SQLException, IOException {
    String[] parts = statements.split(" \\| ", -1);
    String local = "set local default_transaction_" + parts[0];
    String characteristics = "set session characteristics as transaction " + parts[1];
    String shown =
        "select current_setting('default_transaction_isolation'),"
            + " current_setting('default_transaction_read_only'),"
            + " current_setting('default_transaction_deferrable')";
    assertSame(
        new Batch(List.of(query(local + "; select 1; " + characteristics))),
        new Batch(List.of(query(shown))),
        new Batch(List.of(query(shown + " from t where k = 1"))));
    assertSame(pipeline("begin", local, characteristics, "commit"), pipeline(shown));
  }

  /** What names a portal goes to a server, which is not in the transaction any more. */
  @Test
  void aFailedTransactionStaysFailedWhateverPortalIsNamed() throws SQLException, IOException {
    for (Sent portal : List.of(closePortal("x"), closePortal(""), execute("", 0))) {
      assertSame(
          pipeline("begin"),
          new Batch(List.of(query(ONE), bind("", "nosuch"), sync(), portal, sync())),
          new Batch(List.of(query(TWO))),
          new Batch(List.of(query("commit"))));
      assertSame(
          new Batch(
              List.of(
                  parse("", "select k from t where k = 2"),
                  bind("", ""),
                  parse("b", "begin"),
                  bind("", "b"),
                  execute("", 0),
                  sync())),
          new Batch(List.of(execute("", 1), sync(), portal, sync())),
          new Batch(List.of(query("commit"))));
    }
  }

  /** A server skips a Bind behind an error: its name is free, and stands for nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rollback to a",
        "rollback to nosuch",
        "rollback",
        "rollback and chain",
        "commit",
        "select k from t where k = 1",
        "savepoint b",
        "show work_mem",
        "",
      })
  void aBindThatIsSkippedMakesNoPortal(String next) throws SQLException, IOException {
    for (String portal : List.of("p", "")) {
      for (String skipped : List.of("select k from t where k = 2", "commit")) {
        List<Sent> fails =
            List.of(
                parse("", "select 1 / (k - 1) from t where k = 1"),
                bind("", ""),
                execute("", 0),
                parse("x", skipped),
                bind(portal, "x"),
                sync());
        List<Sent> binds = List.of(parse("", next), bind(portal, ""), execute(portal, 0), sync());
        List<Sent> executes = List.of(execute(portal, 0), sync());
        Batch begun = pipeline("begin", ONE, "savepoint a");
        Batch last = new Batch(List.of(query("show work_mem")));
        assertSame(begun, new Batch(fails), new Batch(binds), last);
        assertSame(begun, new Batch(fails), new Batch(executes), new Batch(binds), last);
        assertSame(begun, joined(List.of(fails, binds)), last);
        assertSame(begun, joined(List.of(fails, executes, binds)), new Batch(executes), last);
        assertSame(
            begun, joined(List.of(fails, List.of(closePortal(portal)), binds, executes)), last);
      }
    }
  }

  /** The name of a cursor of one server may be that of one over several next, and the reverse. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin | ONE | declare c cursor for FIRST | fetch c | close c | declare c cursor for NEXT"
            + " | fetch all from c | commit",
        "begin | BOTH | savepoint a | declare c cursor for FIRST | fetch c | rollback to a"
            + " | fetch c | rollback to a | declare c cursor for NEXT | fetch all from c | commit",
        "begin | BOTH | declare c cursor for FIRST | savepoint a | close c | rollback to a"
            + " | fetch all from c | rollback to a | declare c cursor for NEXT | fetch all from c"
            + " | commit",
        "begin | BOTH | declare c cursor for FIRST | savepoint a | close all | fetch c"
            + " | rollback to a | declare c cursor for NEXT | fetch all from c | commit",
        "begin | declare c cursor for FIRST | savepoint a | close c | declare c cursor for NEXT"
            + " | rollback to a | fetch all from c | commit",
        "begin | BOTH | savepoint a | select 1 / 0 | declare c cursor for FIRST | rollback to a"
            + " | declare c cursor for NEXT | fetch all from c | commit",
        "begin | declare c cursor with hold for select k from t where k = 1 | commit | close c"
            + " | fetch c | begin | declare c cursor for NEXT | fetch all from c | commit | close c",
        "begin | declare c cursor with hold for select k from t where k = 1 | rollback"
            + " | begin | ONE | declare c cursor for NEXT | fetch all from c | commit",
        "begin | declare c cursor with hold for select k from t where k = 1 | commit | fetch c"
            + " | begin | savepoint a | close c | rollback to a | declare c cursor for NEXT"
            + " | fetch all from c | commit",
      })
  void aNameOfACursorIsFreeAgain(String statements) throws SQLException, IOException {
    List<String> queries =
        List.of("select k from t where k = 3", "select k from t order by k", "select v from r");
    for (String first : queries) {
      for (String next : queries) {
        String[] texts = texts(statements.replace("FIRST", first).replace("NEXT", next));
        assertSame(
            Stream.of(texts).map(sql -> new Batch(List.of(query(sql)))).toArray(Batch[]::new));
        assertSame(pipeline(texts), pipeline("show work_mem"));
        assertSame(Stream.of(texts).map(sql -> pipeline(sql)).toArray(Batch[]::new));
      }
    }
  }

  /** A pipeline is a transaction, whoever has executed the first of it. */
  @Test
  void declaresInAPipelineBehindQueriesOfSeveral() throws SQLException, IOException {
    String declare = "declare c cursor for select k from t where k = 3";
    assertSame(pipeline(BOTH), pipeline("select count(*) from t", declare, "fetch c"));
    assertSame(pipeline(declare), pipeline("fetch c"));
    for (int key = 1; key <= 3; key++) {
      assertSame(pipeline("update t set v = 1 where k = " + key, declare, "fetch c"));
    }
    assertSame(
        pipeline("begin", declare), pipeline("declare c cursor for select k from t where k = 4"));
    assertSame(pipeline("begin", declare), pipeline("declare c cursor for select k from t"));
    assertSame(
        pipeline("begin"),
        new Batch(
            List.of(
                parse("", "fetch c"),
                bind("", ""),
                describePortal(""),
                execute("", 0),
                sync(),
                describePortal("c"),
                sync())));
  }

  /** A server skips a Close behind an error. */
  @Test
  void aCloseThatIsSkippedClosesNothing() throws SQLException, IOException {
    List<Sent> fails =
        List.of(parse("", "select 1 / (k - 1) from t where k = 1"), bind("", ""), execute("", 0));
    for (String sql : List.of("select k from t where k = 1", "select v from r", "commit")) {
      for (String name : List.of("p", "")) {
        List<Sent> binds = List.of(parse("x", sql), bind(name, "x"), sync());
        List<Sent> executes = List.of(execute(name, 0), sync());
        Batch closes = joined(List.of(fails, List.of(closePortal(name), sync())));
        Batch begun = pipeline("begin", ONE);
        Batch savepoint = new Batch(List.of(query("savepoint a")));
        Batch back = new Batch(List.of(query("rollback to a")));
        assertSame(begun, new Batch(binds), savepoint, closes, back, new Batch(executes));
        assertSame(begun, new Batch(binds), savepoint, closes, back, new Batch(binds));
      }
      if (!sql.equals("commit")) {
        assertSame(
            pipeline("begin", ONE, "declare p cursor for " + sql, "savepoint a"),
            joined(List.of(fails, List.of(closePortal("p"), sync()))),
            pipeline("rollback to a"),
            pipeline("fetch p"),
            pipeline("declare p cursor for select k from t"));
      }
    }
  }

  private static Batch joined(List<List<Sent>> parts) {
    return new Batch(parts.stream().flatMap(List::stream).toList());
  }

  /** The answer to a Sync from before the transaction is none of the transaction's. */
  @Test
  void beginsBehindAParseThatNothingCameOf() throws SQLException, IOException {
    for (String modes : List.of("", " read only")) {
      assertSame(
          new Batch(
              List.of(
                  parse("", "select k, v from t order by k"),
                  parse("", "begin" + modes),
                  bind("", ""),
                  execute("", 0),
                  sync(),
                  query("select current_setting('transaction_isolation')"))),
          new Batch(List.of(query("show transaction_read_only"))),
          new Batch(List.of(query(ONE))),
          new Batch(List.of(query("rollback"))));
    }
  }

  /** Those queries are none of any server's that the transaction reaches. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "set transaction isolation level serializable",
        "set transaction isolation level read committed",
        "set transaction deferrable",
        "set transaction read only",
        "set transaction read write",
        "begin isolation level repeatable read, read only",
        "begin read only, not deferrable",
        "show work_mem; begin isolation level serializable",
        "close all; begin isolation level serializable"
      })
  void aQueryBeforeBeginInItsPipelineIsTheFirst(String modes) throws SQLException, IOException {
    for (String first : List.of("select count(*) from t", "select k from t order by k", BOTH)) {
      for (String begin : List.of("begin", "begin read only")) {
        assertSame(
            pipeline(first, begin),
            new Batch(List.of(query(modes))),
            new Batch(List.of(query("rollback"))),
            new Batch(List.of(query("begin; " + modes + "; rollback"))));
        assertSame(
            pipeline(first, begin), new Batch(List.of(query("commit; " + modes + "; rollback"))));
      }
      assertSame(pipeline(first, modes), pipeline("show transaction_isolation"));
      assertSame(new Batch(List.of(query("begin; close all; " + modes))));
      assertSame(pipeline("begin", "close all"), pipeline(texts(modes.replace("; ", " | "))));
      assertSame(pipeline("close all", "begin"), pipeline(texts(modes.replace("; ", " | "))));
      assertSame(
          new Batch(
              List.of(
                  parse("", first),
                  bind("", ""),
                  parse("", modes),
                  bind("", ""),
                  execute("", 0),
                  sync())),
          pipeline("show transaction_isolation"));
    }
  }

  /** The client learns of a value that is undone before what it asks next. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rollback",
        "rollback | show work_mem",
        "rollback | set transaction read write",
        "rollback | set local work_mem = '7MB'",
        "rollback | ONE",
        "rollback | select count(*) from t",
        "rollback | begin",
        "rollback | lock table t",
        "rollback and chain",
        "commit | set transaction read write",
        "commit | set datestyle = 'SQL'",
      })
  void tellsOfWhatIsUndone(String statements) throws SQLException, IOException {
    for (String begins : List.of("begin", "begin | ONE", "begin | BOTH")) {
      assertSame(
          pipeline(texts(begins + " | set datestyle = 'German'")),
          pipeline(texts(statements)),
          pipeline("show datestyle"));
      assertSame(
          pipeline(texts("set datestyle = 'German' | " + begins)),
          pipeline(texts(statements)),
          pipeline("show datestyle"));
    }
  }

  private static String[] texts(String statements) {
    return statements.replace("ONE", ONE).replace("BOTH", BOTH).split(" \\| ", -1);
  }

  /** What the proxy asks servers for other statements uses neither. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "reset datestyle",
        "set work_mem = '7MB'",
        "set local work_mem = '7MB'",
        "savepoint a",
        "set transaction read write",
        "select k from t order by k",
        "select sum(v) from t",
        "select count(distinct v) from t",
        "update t set v = v + 1",
        "update r set v = 2 where id = (select min(id) from r)",
        "show work_mem"
      })
  void keepsTheUnnamedStatementAndPortal(String sql) throws SQLException, IOException {
    String rows = "select g, (select v from t where k = 1) from generate_series(1, 5) g";
    List<Batch> batches = new ArrayList<>();
    for (int key = 1; key <= 5; key++) {
      batches.add(new Batch(List.of(query("insert into t values (%d, 1)".formatted(key)))));
    }
    batches.add(new Batch(List.of(query("begin"))));
    batches.add(
        new Batch(
            List.of(
                parse("", rows), bind("", ""), execute("", 2), parse("x", sql), bind("y", "x"))));
    batches.add(
        new Batch(
            List.of(execute("y", 0), execute("", 1), bind("z", ""), execute("z", 1), sync())));
    batches.add(new Batch(List.of(execute("", 1), parse("w", sql), bind("w", "w"), sync())));
    batches.add(new Batch(List.of(execute("w", 0), execute("", 1), execute("", 0), sync())));
    assertSame(batches.toArray(new Batch[0]));
  }

  /** Also if the answer to the Sync before its Bind is still to come. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "set local datestyle = 'ISO, DMY'",
        "set work_mem = '7MB'",
        "set constraints all immediate",
        "select count(*) from t",
        "show work_mem",
        "update r set v = 2"
      })
  void keepsTheUnnamedPortalOfTheNextPipeline(String sql) throws SQLException, IOException {
    for (String first :
        List.of("select v from t where k = 1", "select 1 / 0", "set work_mem = 1")) {
      for (String rows :
          List.of(
              "update t set v = v + 1 where k = 1 returning k, v",
              "select g, (select v from t where k = 1) from generate_series(1, 5) g")) {
        List<Sent> next =
            List.of(
                parse("", rows),
                bind("", ""),
                execute("", 1),
                parse("x", sql),
                bind("x", "x"),
                execute("x", 0),
                execute("", 0),
                sync());
        Batch joined = joined(List.of(pipeline(first).messages(), next));
        assertSame(pipeline(ONE), joined, pipeline("deallocate x"), joined);
      }
    }
  }

  /** It closes the protocol's portals too, but for its own. */
  @Test
  void closesAll() throws SQLException, IOException {
    for (String rows :
        List.of("update t set v = 5 returning v", "select k from t where k = 3", "show work_mem")) {
      for (int limit : List.of(0, 1)) {
        List<Sent> messages =
            List.of(
                parse("", rows),
                bind("x", ""),
                execute("x", limit),
                parse("", "close all"),
                bind("y", ""),
                execute("y", 0),
                parse("", rows),
                bind("x", ""),
                execute("x", limit),
                closePortal("y"),
                bind("y", ""),
                sync());
        Batch closes = new Batch(List.of(query("close all")));
        Batch executes = new Batch(List.of(execute("x", 0), sync()));
        // With one shard the proxy does not read what closes its names.
        threeShards.assertSame(
            List.of(pipeline(BOTH), pipeline("begin"), new Batch(messages), closes, executes));
        threeShards.assertSame(List.of(pipeline(BOTH), new Batch(messages), closes));
        assertSame(
            pipeline("begin", BOTH),
            new Batch(List.of(parse("", rows), bind("x", ""), execute("x", limit), sync())),
            pipeline("close all"),
            executes);
      }
    }
  }

  /** Some failures no server knows of. */
  @ParameterizedTest
  @ValueSource(strings = {"commit", "rollback", "end", "rollback to a", "select 1"})
  void aPortalFailsWithItsTransaction(String end) throws SQLException, IOException {
    for (String reached : List.of("set constraints all immediate", ONE, BOTH, "")) {
      for (Sent fails : List.of(bind("z", "nosuch"), parse("", "selekt"))) {
        for (String name : List.of("", "y")) {
          List<Sent> binds = List.of(parse("x", end), bind(name, "x"));
          List<Sent> executes = List.of(execute(name, 0), sync());
          Batch begun = pipeline("begin", "savepoint a", reached);
          assertSame(begun, joined(List.of(binds, List.of(fails, sync()))), new Batch(executes));
          assertSame(
              begun,
              joined(List.of(binds, List.of(sync()))),
              new Batch(List.of(fails, sync())),
              new Batch(executes),
              pipeline("rollback"));
        }
      }
    }
  }

  /** RESET ALL passes over what is at its default, and with it what that default hides. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "set NAME = ONE; begin; set local NAME to default; reset all; commit",
        "set NAME = ONE; begin; set local NAME to default; reset all; rollback",
        "set NAME = ONE; begin; BOTH; set local NAME to default; reset all; BOTH; commit; BOTH",
        "set NAME = ONE; begin; set local NAME = TWO; reset all; commit",
        "set NAME = ONE; begin; savepoint a; set local NAME to default; reset all; rollback to a",
        "set NAME = ONE; begin; set local NAME to default; set NAME = TWO; reset all; commit",
        "begin; set NAME = ONE; set local NAME to default; reset all; BOTH; commit; BOTH",
        "begin; set NAME = ONE; set local NAME to default; reset NAME; BOTH; commit; BOTH"
      })
  void resetsNothingThatIsAtItsDefault(String statements) throws SQLException, IOException {
    List<List<String>> parameters =
        List.of(
            List.of("work_mem", "'3MB'", "'9MB'"),
            List.of("timezone", "'Asia/Tokyo'", "'Europe/Paris'"),
            List.of("search_path", "pg_catalog", "pg_temp"));
    for (List<String> parameter : parameters) {
      List<Batch> batches = new ArrayList<>();
      String sent =
          statements
              .replace("NAME", parameter.get(0))
              .replace("ONE", parameter.get(1))
              .replace("TWO", parameter.get(2))
              .replace(
                  "BOTH",
                  parameter.get(0).equals("search_path") ? "select 1" : "update t set v = 2");
      for (String sql : sent.split("; ", -1)) {
        batches.add(new Batch(List.of(query(sql))));
        batches.add(new Batch(List.of(query("show " + parameter.get(0)))));
      }
      batches.add(new Batch(List.of(query("reset all"))));
      assertSame(batches.toArray(new Batch[0]));
    }
  }

  /**
   * It warns where nothing of the pipeline has been executed that it is in one transaction with.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "set transaction read write",
        "set transaction isolation level read committed",
        "",
        "commit",
        "rollback",
        "begin",
        "set work_mem = '7MB'",
        "set constraints all immediate",
        "select 1",
        "select count(*) from t",
        "update t set v = v + 1"
      })
  void setTransactionBehind(String first) throws SQLException, IOException {
    String set = "set transaction read write";
    assertSame(pipeline(first, set, set));
    assertSame(pipeline(first, "", set), pipeline(set));
    assertSame(pipeline(first, set, "commit", set, "begin", set, "rollback"));
    assertSame(
        new Batch(
            List.of(
                parse("x", first),
                bind("y", "x"),
                parse("", set),
                bind("", ""),
                execute("y", 1),
                execute("", 0),
                sync())));
  }

  /** An error comes once before ReadyForQuery, whatever was executed before it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from t",
        "select k from t order by k",
        "update t set v = 5 returning v",
        "insert into t values (6, 6), (7, 7), (8, 8) returning 'made'",
        "select v from t where k = 3"
      })
  void aFailureBehindAPartOfTheRows(String sql) throws SQLException, IOException {
    for (String wrong :
        List.of("begin isolation level repeatable reed", "commit and", "select 1/0", "selekt")) {
      assertSame(
          pipeline(BOTH),
          new Batch(
              List.of(
                  parse("", sql),
                  bind("", ""),
                  execute("", 1),
                  parse("", wrong),
                  bind("", ""),
                  execute("", 0),
                  sync())),
          pipeline("select count(*) from t"));
    }
  }

  /** One made before the savepoint, or since the failure, ends it; another one has failed too. */
  @ParameterizedTest
  @ValueSource(
      strings = {"rollback", "commit", "rollback to a", "rollback to b", "rollback and chain", ""})
  void portalsOfAFailedTransaction(String end) throws SQLException, IOException {
    Sent fails = query("selekt");
    for (String[] before :
        new String[][] {
          {"begin"},
          {"begin", "savepoint a"},
          {"begin", ONE, "savepoint a"},
          {"begin", BOTH, "savepoint a", "savepoint b"}
        }) {
      List<Sent> first = List.of(parse("x", end), bind("y", "x"), sync());
      List<Sent> executes = List.of(execute("y", 0), sync(), execute("y", 0), sync());
      Batch begun = new Batch(Stream.of(before).map(RandomPipeline::query).toList());
      assertSame(begun, new Batch(first), new Batch(List.of(fails)), new Batch(executes));
      assertSame(begun, new Batch(List.of(fails)), new Batch(first), new Batch(executes));
      Batch further = new Batch(List.of(query("savepoint c"), fails));
      assertSame(begun, new Batch(first), further, new Batch(executes));
    }
  }

  /** Its catalogs are read between the COMMIT and the next transaction. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "isolation level repeatable read",
        "isolation level serializable, read write, not deferrable",
        "read write"
      })
  void chainsWithItsModesBehindDdl(String modes) throws SQLException, IOException {
    String[] statements = {
      "begin " + modes,
      "create table chained (a int)",
      "commit and chain",
      "show transaction_isolation",
      "drop table chained",
      "commit and chain",
      "set transaction read only",
      "show transaction_isolation",
      "commit and chain",
      "show transaction_read_only",
      "rollback"
    };
    assertSame(new Batch(Stream.of(statements).map(RandomPipeline::query).toList()));
    assertSame(Stream.of(statements).map(sql -> pipeline(sql)).toArray(Batch[]::new));
    assertSame(pipeline(statements));
  }

  @Test
  void aQueryEndsTheUnnamedPortal() throws SQLException, IOException {
    Batch executes = new Batch(List.of(execute("", 0), sync()));
    assertSame(pipeline(ONE, "begin"), new Batch(List.of(query("savepoint b"))), executes);
  }

  /**
   * What failed in the proxy's own words is open until then, beside the client's unnamed portal.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "set work_mem = 'much'",
        "set local work_mem = 'much'",
        "select sum(1 / (v - v)) + 1 from t",
        "select k / (v - v) from t order by k",
        "update t set v = 1 / (v - v)",
        "select count(distinct 1 / (v - v)) from t"
      })
  void goesBackToASavepointBehindWhatFails(String sql) throws SQLException, IOException {
    assertSame(
        pipeline(BOTH),
        new Batch(List.of(query("begin"))),
        pipeline("select k from t where k = 1"),
        new Batch(List.of(query("savepoint a"))),
        pipeline(sql),
        new Batch(List.of(query("rollback to a"))),
        pipeline(sql),
        pipeline("rollback to a", "select sum(v) from t"));
  }

  /** The decision is written on one of the other shards. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5})
  void commitsWhatAFunctionMadeReadOnly(int key) throws SQLException, IOException {
    String ends = "select end_writing() from t where k = " + key;
    String more = "update t set v = 9 where k = " + key;
    for (String last : List.of("commit", more)) {
      assertSame(pipeline("begin", BOTH), pipeline(ends), pipeline(last), pipeline("commit"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin read only | select 1",
        "begin read only | select 1/0",
        "begin isolation level serializable, read only, deferrable | select 1/0",
        "begin isolation level repeatable read | savepoint a | select 1/0",
        "begin | savepoint a | set transaction read only | select 1",
        "begin | savepoint a | set transaction read only | select 1/0",
        "begin | savepoint a | set transaction read only | savepoint b",
        "begin read only | savepoint a | savepoint b | select 1/0 | rollback to b",
        "begin | BOTH | set transaction read only",
        "begin | BOTH | set transaction read only | select 1/0",
        "begin | BOTH | set transaction read only | savepoint a | select 1/0",
        "begin | BOTH | savepoint a | set transaction read only | select 1/0",
        "begin read only | selekt",
        "begin read only | commit and chain | select 1/0",
        "begin read only | rollback and chain | select 1/0 | rollback and chain | select 1/0",
        "begin read only | commit and chain | begin read only, deferrable | select 1/0",
        "begin read only | commit and chain | set transaction read write | select 1/0",
        "begin isolation level serializable | commit and chain | savepoint a | select 1/0",
        "begin read only | commit and chain | savepoint a | set transaction read only | select 1/0",
        "begin | set transaction isolation level serializable | commit and chain | selekt"
      })
  void chainsTheModesThatAreLeft(String statements) throws SQLException, IOException {
    for (String end : List.of("commit and chain", "rollback and chain")) {
      List<Batch> batches = new ArrayList<>();
      for (String sql : (statements + " | " + end).replace("BOTH", BOTH).split(" \\| ", -1)) {
        batches.add(new Batch(List.of(query(sql))));
      }
      for (String mode : List.of("isolation", "read_only", "deferrable")) {
        batches.add(new Batch(List.of(query("show transaction_" + mode))));
      }
      assertSame(batches.toArray(new Batch[0]));
    }
  }

  /** The row of the decision is written behind what the client has written, in its transaction. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin | BOTH | set transaction read only | select count(*) from t | commit",
        "begin | BOTH | set transaction read only | update t set v = 2 | commit",
        "begin | BOTH | set transaction_read_only = on | commit",
        "begin | BOTH | set transaction_read_only to true | show transaction_read_only | commit",
        "begin | BOTH | set local transaction_read_only = on | commit",
        "begin | BOTH | begin read only | commit",
        "begin | BOTH | savepoint a | set transaction read only | release a | ONE | commit",
        "begin | BOTH | savepoint a | set transaction read only | rollback to a | ONE | commit",
        "begin | BOTH | set transaction read only | savepoint b | release b | commit",
        "begin | BOTH | set transaction read only | savepoint b | rollback to b | commit",
        "begin | BOTH | set transaction read only | set transaction read only | commit",
        "begin | BOTH | set transaction read only | set transaction read write | rollback",
        "begin | BOTH | set transaction read only | set transaction deferrable | rollback",
        "begin | BOTH | set transaction read only | set transaction not deferrable | rollback",
        "begin | BOTH | begin read only | begin read write, deferrable | rollback",
        "begin | BOTH | begin read only | savepoint a | begin read write | rollback",
        "BOTH; begin read only; start transaction read write | rollback",
        "ONE; lock table t; begin read only; begin isolation level serializable | rollback",
        "begin | ONE | lock table t | begin read only | begin isolation level repeatable read",
        "begin | ONE | lock table t | begin read only | begin isolation level read committed",
        "begin isolation level serializable | ONE | set transaction isolation level serializable",
        "begin | BOTH | set transaction read only | commit and chain | ONE | commit",
        "begin | BOTH | set transaction read only | commit and chain | MORE | commit",
        "begin | BOTH | set transaction read only | rollback | BOTH",
        "set default_transaction_read_only = on | BOTH | begin read write | BOTH | commit | ONE",
        "begin | BOTH | set default_transaction_read_only = on | commit | ONE",
        "set default_transaction_read_only = on | begin | set transaction read write | BOTH | commit",
        "set session characteristics as transaction read only | BOTH | begin | BOTH | rollback",
        "begin | set transaction read only | BOTH | commit",
        "begin read only | set transaction read write | BOTH | commit",
        "begin read only | select sum(v), count(distinct v) from t | commit",
        "begin | BOTH; set transaction read only; select 1 | commit",
        "begin | ONE | set transaction read only | select sum(v) from t | commit",
        "begin | ONE | set transaction read only | MORE | commit",
        "begin | savepoint a | BOTH | set transaction read only | release a | MORE | commit",
        "begin | savepoint a | set transaction read only | release a | BOTH | commit",
        "begin | savepoint a | BOTH | set transaction_read_only = on | rollback to a | MORE | commit",
        "begin | lock table t in share mode; ONE | begin isolation level serializable, read only",
        "begin | lock table t in share mode; ONE | set transaction read only, deferrable | rollback",
        "begin | BOTH | set transaction isolation level read committed, read only | commit"
      })
  void commitsWhatItWroteBeforeItIsReadOnly(String statements) throws SQLException, IOException {
    List<Batch> simple = new ArrayList<>();
    List<Batch> extended = new ArrayList<>();
    String sent =
        statements
            .replace("BOTH", BOTH)
            .replace("ONE", ONE)
            .replace("MORE", "insert into t values (13, 3), (14, 4), (15, 5)");
    for (String sql : sent.split(" \\| ", -1)) {
      simple.add(new Batch(List.of(query(sql))));
      extended.add(pipeline(sql.split("; ", -1)));
    }
    for (List<Batch> batches : List.of(simple, extended)) {
      batches.add(new Batch(List.of(query("show transaction_read_only"))));
      assertSame(batches.toArray(new Batch[0]));
    }
  }

  @Test
  void tellsThatTheTransactionHasFailedBeforeATakenName() throws SQLException, IOException {
    assertSame(
        new Batch(List.of(parse("y", ONE), sync(), query("begin"), query("savepoint"))),
        new Batch(List.of(parse("y", TWO), sync(), query("rollback"))),
        new Batch(List.of(parse("y", TWO), sync())));
  }

  /** All shards fail at about the same time: an answer may be on its way in two parts then. */
  @Test
  void tellsWhyEveryShardFailsAnExpressionOverAggregates() throws SQLException, IOException {
    List<Batch> batches = new ArrayList<>();
    for (int key = 1; key <= 12; key++) {
      batches.add(new Batch(List.of(query("insert into t values (%d, 1)".formatted(key)))));
    }
    for (int i = 0; i < 200; i++) {
      batches.add(pipeline("begin", "select sum(1 / (v - v)) + 1 from t", "commit"));
      batches.add(pipeline("rollback"));
    }
    threeShards.assertSame(batches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create table more (a int); insert into t values (9, 9)",
        "set work_mem = '7MB'; set work_mem = '8MB'",
        "drop table if exists none; insert into t values (9, 9)",
        "discard plans; insert into t values (9, 9)",
        "deallocate all; insert into t values (9, 9)",
        "reset all; insert into t values (9, 9)",
        "truncate t; insert into t values (9, 9)",
        "insert into t values (9, 9); truncate t",
        "vacuum; insert into t values (9, 9)",
        "lock table t; commit",
        "begin; commit",
        "set work_mem = '7MB'; selec 1",
      })
  void takesOneCommandInOneParse(String text) throws SQLException, IOException {
    assertSame(pipeline(ONE), pipeline(text), pipeline(TWO));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ONE;rollback",
        "ONE;rollback;TWO",
        "ONE;commit;select 1/0",
        "ONE;commit;TWO;rollback",
        "ONE;begin;TWO;rollback",
        "ONE;begin;TWO;commit;select 1/0",
        "ONE;begin;TWO",
        "BOTH;begin",
        "BOTH;rollback",
        "BOTH;commit;select 1/0",
        "BOTH;ONE;commit;TWO;select 1/0",
        "ONE;savepoint a;TWO",
        "ONE;release a",
        "ONE;rollback to a",
        "ONE;commit and chain;TWO",
        "ONE;rollback and chain;TWO",
        "rollback;ONE",
        "commit;ONE;select 1/0",
        "begin;commit;ONE;select 1/0",
        "ONE;set transaction isolation level serializable;TWO",
        "set transaction isolation level serializable;ONE",
        "ONE;begin isolation level serializable;TWO",
        "begin isolation level repeatable reed;ONE;rollback",
        "begin;insert into d values (1, 1);insert into d values (1, 2);commit;ONE",
        "insert into d values (1, 1);insert into d values (1, 2)",
        "insert into d values (1, 1);insert into d values (1, 2);commit;ONE",
        "insert into d values (1, 1);insert into d values (1, 2);set local work_mem = '7MB'",
        "insert into d values (1, 1);insert into d values (1, 2);select count(*) from t",
        "insert into d values (1, 1), (1, 2), (2, 1), (3, 1)",
        "insert into d values (1, 1);BOTH;insert into d values (1, 2)",
        "begin;ONE;select 1/0;rollback",
        "ONE;begin;select 1/0",
        "ONE;begin;begin;commit;commit",
        "lock table t",
        "ONE;lock table t",
        "lock table t;ONE",
        "begin;lock table t;ONE;commit",
        "begin;ONE;commit and chain;TWO;rollback",
        "begin;savepoint a;ONE;rollback to a;TWO;commit",
        "set work_mem = '7MB';select 1/0",
        "ONE;set work_mem = '7MB';rollback",
      })
  void inPipelinesAndQueries(String shape) throws SQLException, IOException {
    String[] statements =
        shape.replace("ONE", ONE).replace("TWO", TWO).replace("BOTH", BOTH).split(";");
    Batch after =
        new Batch(
            List.of(
                query("show work_mem"), query("insert into t values (9, 9)"), query("rollback")));
    assertSame(pipeline(statements), after);
    assertSame(new Batch(List.of(query(String.join(";", statements)))), after);
    List<Sent> alone = new ArrayList<>();
    List.of(statements).forEach(sql -> alone.add(query(sql)));
    assertSame(new Batch(alone), after);
  }

  @Test
  void whatIsUnnamedGivesWayAndWhatWasSkippedIsNotThere() throws SQLException, IOException {
    Batch keeps = new Batch(List.of(parse("", "select 7"), sync()));
    Batch binds = new Batch(List.of(bind("", ""), execute("", 0), sync()));
    assertSame(keeps, binds, new Batch(List.of(query("select 8"))), binds);
    assertSame(keeps, new Batch(List.of(query("begin"))), keeps, binds, binds);
    Batch fails =
        new Batch(
            List.of(
                parse("", "select 1/0"),
                bind("", ""),
                execute("", 0),
                parse("x", "select 9"),
                sync()));
    Batch prepares =
        new Batch(List.of(parse("x", "select 9"), bind("", "x"), execute("", 0), sync()));
    assertSame(fails, prepares);
    assertSame(atOnce(fails, prepares));
  }

  /** One packet: the proxy goes on to the second pipeline before servers answer the first. */
  private static Batch atOnce(Batch... batches) {
    return new Batch(Stream.of(batches).flatMap(batch -> batch.messages().stream()).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ONE|ONE2;TWO",
        "ONE|ONE2;BOTH",
        "ONE|ONE2;set work_mem = '7MB'",
        "ONE|ONE2;lock table t",
        "ONE|select 1/0;TWO",
        "ONE|ONE2;TWO;select 1/0|show work_mem",
        "begin;set work_mem = '7MB';ONE|commit|show work_mem",
        "begin;set work_mem = '7MB';ONE|rollback|show work_mem",
        "begin;set work_mem = '7MB';ONE|Q commit|show work_mem",
        "begin;set work_mem = '7MB';ONE|ONE2|Q commit|show work_mem",
        "begin;ONE|Q select 1|Q commit|Q begin|ONE2|Q rollback",
        "begin;ONE|commit|ONE2;TWO|begin;ONE|rollback",
      })
  void pipelinesThatFollowAtOnce(String shape) throws SQLException, IOException {
    String text = shape.replace("ONE2", "update t set v = 9 where k = 1").replace("ONE", ONE);
    Batch[] batches =
        Stream.of(text.replace("TWO", TWO).replace("BOTH", BOTH).split("\\|"))
            .map(
                part ->
                    part.startsWith("Q ")
                        ? new Batch(List.of(query(part.substring(2))))
                        : pipeline(part.split(";")))
            .toArray(Batch[]::new);
    assertSame(atOnce(batches), new Batch(List.of(query("show work_mem"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "begin isolation level repeatable reed",
        "begin isolation level serializable read only",
        "begin isolation level read uncommitted, read write, not deferrable",
        "begin read only read only",
        "begin read",
        "begin ,read only",
        "begin read only,",
        "begin transaction work",
        "begin work isolation level 'serializable'",
        "begin deferrable",
        "start work",
        "start transaction deferrable, isolation level serializable",
        "begin \"read\" only",
        "begin isolation level",
        "commit and",
        "commit chain",
        "commit and no",
        "commit and chain now",
        "rollback to",
        "rollback to savepoint",
        "rollback work to a b",
        "rollback and chain chain",
        "savepoint",
        "savepoint a b",
        "savepoint 'a'",
        "savepoint select",
        "release savepoint",
        "release a b",
        "release savepoint savepoint",
        "savepoint savepoint",
        "set transaction",
        "set transaction isolation level high",
        "set local transaction read only",
        "set session transaction isolation level repeatable read",
        "end transaction prepared",
        "abort work and chain",
        "begin; commit; rollback",
        "begin; savepoint a; begin deferrable",
        "begin; savepoint a; set transaction isolation level serializable",
        "begin/*!*/read/**/only --",
      })
  void grammar(String sql) throws SQLException, IOException {
    Batch queries = new Batch(List.of(query(sql), query(ONE), query("rollback")));
    assertSame(queries);
    assertSame(new Batch(List.of(query("begin"), query(sql), query(ONE), query("rollback"))));
    assertSame(pipeline(sql, ONE, "rollback"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"commit prepared 'x'", "rollback prepared 'x'", "set transaction snapshot 'x'"})
  void whatOneShardDoesItself(String end) throws SQLException, IOException {
    for (String[] shape :
        new String[][] {
          {"begin", ONE, "prepare transaction 'x'", end},
          {"prepare transaction 'x'", end},
          {"begin", "select 1/0", "prepare transaction 'x'", end},
          {"begin", ONE, end, "rollback"},
          {"begin", "prepare transaction 'x'", end},
          {"begin", ONE, "prepare transaction 'x", "rollback"},
          {"begin", ONE, "set work_mem = '7MB'", "prepare transaction 'x'", "show work_mem", end},
        }) {
      List<Sent> alone = new ArrayList<>();
      List.of(shape).forEach(sql -> alone.add(query(sql)));
      oneShard.assertSame(List.of(new Batch(alone)));
      oneShard.assertSame(List.of(pipeline(shape)));
      List<Batch> each = new ArrayList<>();
      List.of(shape).forEach(sql -> each.add(pipeline(sql)));
      oneShard.assertSame(each);
    }
  }
}
