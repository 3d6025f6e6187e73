package io.shardmark.proxy.server;

import static io.shardmark.proxy.server.RandomPipeline.bind;
import static io.shardmark.proxy.server.RandomPipeline.closePortal;
import static io.shardmark.proxy.server.RandomPipeline.describePortal;
import static io.shardmark.proxy.server.RandomPipeline.execute;
import static io.shardmark.proxy.server.RandomPipeline.parse;
import static io.shardmark.proxy.server.RandomPipeline.query;
import static io.shardmark.proxy.server.RandomPipeline.sync;
import static io.shardmark.proxy.server.TwinClusters.BOTH;
import static io.shardmark.proxy.server.TwinClusters.ONE;
import static io.shardmark.proxy.server.TwinClusters.TWO;
import static io.shardmark.proxy.server.TwinClusters.atOnce;
import static io.shardmark.proxy.server.TwinClusters.joined;
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

/**
 * Portals and cursors, and their names, wherever a transaction ends: the same answers and rows as
 * of a plain server.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PortalsInTransactionsTest {
  @AutoClose private TwinClusters clusters;

  @BeforeAll
  void start() throws SQLException, IOException {
    clusters = TwinClusters.start();
  }

  /** What names a portal goes to a server, which is not in the transaction any more. */
  @Test
  void aFailedTransactionStaysFailedWhateverPortalIsNamed() throws SQLException, IOException {
    for (Sent portal : List.of(closePortal("x"), closePortal(""), execute("", 0))) {
      clusters.assertSame(
          pipeline("begin"),
          new Batch(List.of(query(ONE), bind("", "nosuch"), sync(), portal, sync())),
          new Batch(List.of(query(TWO))),
          new Batch(List.of(query("commit"))));
      clusters.assertSame(
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
        clusters.assertSame(begun, new Batch(fails), new Batch(binds), last);
        clusters.assertSame(begun, new Batch(fails), new Batch(executes), new Batch(binds), last);
        clusters.assertSame(begun, joined(List.of(fails, binds)), last);
        clusters.assertSame(
            begun, joined(List.of(fails, executes, binds)), new Batch(executes), last);
        clusters.assertSame(
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
        clusters.assertSame(
            Stream.of(texts).map(sql -> new Batch(List.of(query(sql)))).toArray(Batch[]::new));
        clusters.assertSame(pipeline(texts), pipeline("show work_mem"));
        clusters.assertSame(Stream.of(texts).map(sql -> pipeline(sql)).toArray(Batch[]::new));
      }
    }
  }

  /** A pipeline is a transaction, whoever has executed the first of it. */
  @Test
  void declaresInAPipelineBehindQueriesOfSeveral() throws SQLException, IOException {
    String declare = "declare c cursor for select k from t where k = 3";
    clusters.assertSame(pipeline(BOTH), pipeline("select count(*) from t", declare, "fetch c"));
    clusters.assertSame(pipeline(declare), pipeline("fetch c"));
    for (int key = 1; key <= 3; key++) {
      clusters.assertSame(pipeline("update t set v = 1 where k = " + key, declare, "fetch c"));
    }
    clusters.assertSame(
        pipeline("begin", declare), pipeline("declare c cursor for select k from t where k = 4"));
    clusters.assertSame(
        pipeline("begin", declare), pipeline("declare c cursor for select k from t"));
    clusters.assertSame(
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
        clusters.assertSame(begun, new Batch(binds), savepoint, closes, back, new Batch(executes));
        clusters.assertSame(begun, new Batch(binds), savepoint, closes, back, new Batch(binds));
      }
      if (!sql.equals("commit")) {
        clusters.assertSame(
            pipeline("begin", ONE, "declare p cursor for " + sql, "savepoint a"),
            joined(List.of(fails, List.of(closePortal("p"), sync()))),
            pipeline("rollback to a"),
            pipeline("fetch p"),
            pipeline("declare p cursor for select k from t"));
      }
    }
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
    clusters.assertSame(batches.toArray(new Batch[0]));
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
        clusters.assertSame(pipeline(ONE), joined, pipeline("deallocate x"), joined);
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
        clusters
            .threeShards()
            .assertSame(
                List.of(pipeline(BOTH), pipeline("begin"), new Batch(messages), closes, executes));
        clusters.threeShards().assertSame(List.of(pipeline(BOTH), new Batch(messages), closes));
        clusters.assertSame(
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
          clusters.assertSame(
              begun, joined(List.of(binds, List.of(fails, sync()))), new Batch(executes));
          clusters.assertSame(
              begun,
              joined(List.of(binds, List.of(sync()))),
              new Batch(List.of(fails, sync())),
              new Batch(executes),
              pipeline("rollback"));
        }
      }
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
      clusters.assertSame(begun, new Batch(first), new Batch(List.of(fails)), new Batch(executes));
      clusters.assertSame(begun, new Batch(List.of(fails)), new Batch(first), new Batch(executes));
      Batch further = new Batch(List.of(query("savepoint c"), fails));
      clusters.assertSame(begun, new Batch(first), further, new Batch(executes));
    }
  }

  @Test
  void aQueryEndsTheUnnamedPortal() throws SQLException, IOException {
    Batch executes = new Batch(List.of(execute("", 0), sync()));
    clusters.assertSame(pipeline(ONE, "begin"), new Batch(List.of(query("savepoint b"))), executes);
  }

  @Test
  void whatIsUnnamedGivesWayAndWhatWasSkippedIsNotThere() throws SQLException, IOException {
    Batch keeps = new Batch(List.of(parse("", "select 7"), sync()));
    Batch binds = new Batch(List.of(bind("", ""), execute("", 0), sync()));
    clusters.assertSame(keeps, binds, new Batch(List.of(query("select 8"))), binds);
    clusters.assertSame(keeps, new Batch(List.of(query("begin"))), keeps, binds, binds);
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
    clusters.assertSame(fails, prepares);
    clusters.assertSame(atOnce(fails, prepares));
  }
}
