package io.shardmark.proxy.server;

import static io.shardmark.proxy.server.RandomPipeline.bind;
import static io.shardmark.proxy.server.RandomPipeline.execute;
import static io.shardmark.proxy.server.RandomPipeline.parse;
import static io.shardmark.proxy.server.RandomPipeline.query;
import static io.shardmark.proxy.server.RandomPipeline.sync;
import static io.shardmark.proxy.server.TwinClusters.BOTH;
import static io.shardmark.proxy.server.TwinClusters.ONE;
import static io.shardmark.proxy.server.TwinClusters.TWO;
import static io.shardmark.proxy.server.TwinClusters.atOnce;
import static io.shardmark.proxy.server.TwinClusters.pipeline;
import static io.shardmark.proxy.server.TwinClusters.texts;

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
  @AutoClose private TwinClusters clusters;

  @BeforeAll
  void start() throws SQLException, IOException {
    clusters = TwinClusters.start();
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
    clusters.assertSame(
        new Batch(List.of(query(local + "; select 1; " + characteristics))),
        new Batch(List.of(query(shown))),
        new Batch(List.of(query(shown + " from t where k = 1"))));
    clusters.assertSame(pipeline("begin", local, characteristics, "commit"), pipeline(shown));
  }

  /** The answer to a Sync from before the transaction is none of the transaction's. */
  @Test
  void beginsBehindAParseThatNothingCameOf() throws SQLException, IOException {
    for (String modes : List.of("", " read only")) {
      clusters.assertSame(
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
        clusters.assertSame(
            pipeline(first, begin),
            new Batch(List.of(query(modes))),
            new Batch(List.of(query("rollback"))),
            new Batch(List.of(query("begin; " + modes + "; rollback"))));
        clusters.assertSame(
            pipeline(first, begin), new Batch(List.of(query("commit; " + modes + "; rollback"))));
      }
      clusters.assertSame(pipeline(first, modes), pipeline("show transaction_isolation"));
      clusters.assertSame(new Batch(List.of(query("begin; close all; " + modes))));
      clusters.assertSame(
          pipeline("begin", "close all"), pipeline(texts(modes.replace("; ", " | "))));
      clusters.assertSame(
          pipeline("close all", "begin"), pipeline(texts(modes.replace("; ", " | "))));
      clusters.assertSame(
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
      clusters.assertSame(
          pipeline(texts(begins + " | set datestyle = 'German'")),
          pipeline(texts(statements)),
          pipeline("show datestyle"));
      clusters.assertSame(
          pipeline(texts("set datestyle = 'German' | " + begins)),
          pipeline(texts(statements)),
          pipeline("show datestyle"));
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
      clusters.assertSame(batches.toArray(new Batch[0]));
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
    clusters.assertSame(pipeline(first, set, set));
    clusters.assertSame(pipeline(first, "", set), pipeline(set));
    clusters.assertSame(pipeline(first, set, "commit", set, "begin", set, "rollback"));
    clusters.assertSame(
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
      clusters.assertSame(
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
    clusters.assertSame(new Batch(Stream.of(statements).map(RandomPipeline::query).toList()));
    clusters.assertSame(Stream.of(statements).map(sql -> pipeline(sql)).toArray(Batch[]::new));
    clusters.assertSame(pipeline(statements));
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
    clusters.assertSame(
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
      clusters.assertSame(
          pipeline("begin", BOTH), pipeline(ends), pipeline(last), pipeline("commit"));
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
      clusters.assertSame(batches.toArray(new Batch[0]));
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
      clusters.assertSame(batches.toArray(new Batch[0]));
    }
  }

  @Test
  void tellsThatTheTransactionHasFailedBeforeATakenName() throws SQLException, IOException {
    clusters.assertSame(
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
    clusters.threeShards().assertSame(batches);
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
    clusters.assertSame(pipeline(ONE), pipeline(text), pipeline(TWO));
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
    clusters.assertSame(pipeline(statements), after);
    clusters.assertSame(new Batch(List.of(query(String.join(";", statements)))), after);
    List<Sent> alone = new ArrayList<>();
    List.of(statements).forEach(sql -> alone.add(query(sql)));
    clusters.assertSame(new Batch(alone), after);
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
    clusters.assertSame(atOnce(batches), new Batch(List.of(query("show work_mem"))));
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
    clusters.assertSame(queries);
    clusters.assertSame(
        new Batch(List.of(query("begin"), query(sql), query(ONE), query("rollback"))));
    clusters.assertSame(pipeline(sql, ONE, "rollback"));
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
      clusters.oneShard().assertSame(List.of(new Batch(alone)));
      clusters.oneShard().assertSame(List.of(pipeline(shape)));
      List<Batch> each = new ArrayList<>();
      List.of(shape).forEach(sql -> each.add(pipeline(sql)));
      clusters.oneShard().assertSame(each);
    }
  }
}
