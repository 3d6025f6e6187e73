package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables that one of three shards has: the shards' catalogs say so to every proxy. */
final class OneShardTablesTest {
  private static final int SHARDS = 3;
  private static final int PLAIN = 1; // where a table is that says nothing

  @AutoClose private static RunningProxy proxy;
  @AutoClose private static Connection client;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(SHARDS, "unsharded_tables: s1");
    client = proxy.connect();
    eachGives(
        "changed",
        "create table t (k int primary key, v int) partition by hash (k)",
        "create table t_0 partition of t for values with (modulus 3, remainder 0)",
        "create table t_1 partition of t for values with (modulus 3, remainder 1)",
        "create table t_2 partition of t for values with (modulus 3, remainder 2)",
        "create table ref (id int primary key, v int) with (shard = all)",
        "insert into t select g, g from generate_series(1, 9) g",
        "insert into ref select g, g from generate_series(1, 3) g");
  }

  private static List<String> run(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return List.of("changed " + statement.getUpdateCount());
      }
      List<String> rows = new ArrayList<>();
      ResultSet result = statement.getResultSet();
      while (result.next()) {
        rows.add(result.getString(1));
      }
      return rows;
    } catch (SQLException e) {
      return List.of(e.getSQLState());
    }
  }

  /**
   * @param beginning of the one answer: an SQLSTATE, or {@code changed} with a number of rows
   */
  private static void eachGives(String beginning, String... statements) {
    for (String sql : statements) {
      assertThat(run(client, sql)).as(sql).singleElement().asString().startsWith(beginning);
    }
  }

  private static List<Integer> shardsOf(String relation) throws SQLException {
    List<Integer> having = new ArrayList<>();
    for (int shard : IntStream.range(0, SHARDS).toArray()) {
      String found = "select to_regclass('%s') is not null".formatted(relation);
      if (proxy.onShard(shard, found).equals("t")) {
        having.add(shard);
      }
    }
    return having;
  }

  @Test
  void aDetachedPartitionIsATableOfItsShardUntilAttached() throws SQLException {
    eachGives(
        "changed",
        "create table d (k int, v int) partition by list (k)",
        "create table d_1 partition of d for values in (1) with (shard = 1)",
        "create table d_2 partition of d for values in (2) with (shard = 2)",
        "insert into d values (1, 10), (2, 20)",
        "alter table d detach partition d_1",
        "insert into d_1 values (3, 30)",
        "delete from d_1 where k = 3",
        "alter table d attach partition d_1 for values in (1)");
    assertThat(run(client, "select v from d order by k")).containsExactly("10", "20");
    assertThat(run(client, "alter table d detach partition d_2")).containsExactly("changed 0");
    assertThat(run(client, "delete from d_2")).containsExactly("changed 1");
    assertThat(run(client, "alter table d attach partition d_2 for values in (1)"))
        .as("a bound that another shard's partition has")
        .containsExactly("42P17");
    assertThat(run(client, "drop table d, d_2")).containsExactly("changed 0");
    assertThat(shardsOf("d_2")).isEmpty();
  }

  @Test
  void rowsOfPartitionsElsewhereAreNotPutIntoDefaultPartition() {
    eachGives(
        "changed",
        "create table e (k int, v int) partition by list (k)",
        "create table e_1 partition of e for values in (1) with (shard = 1)",
        "create table e_x partition of e default with (shard = 2)",
        "insert into e values (1, 10), (7, 70)",
        "update e_x set v = 71 where k = 7",
        "merge into e_1 using ref on e_1.k = ref.id when matched then update set v = e_1.v");
    eachGives(
        "0A000",
        "insert into e_x values (1, 11)",
        "update e_x set k = 1 where k = 7",
        "merge into e_x using ref on e_x.k = ref.id when matched then delete",
        "copy e_x from stdin");
    assertThat(run(client, "select v from e order by k")).containsExactly("10", "71");
  }

  @Test
  void aTableIsOnTheShardThatItsTextOrTheConfigurationSays() throws SQLException {
    run(client, "create table here (id serial primary key, at timestamptz default now(), v int)");
    run(client, "create table there (id int primary key) with (shard = 3)");
    assertThat(shardsOf("here")).containsExactly(PLAIN);
    assertThat(shardsOf("there")).containsExactly(2);
    assertThat(run(client, "insert into here (v) values (10), (20) returning id"))
        .containsExactly("1", "2");
    assertThat(run(client, "select h.v + r.v from here h join ref r using (id) order by 1"))
        .containsExactly("11", "22");
    assertThat(run(client, "update here set at = now(), v = v + 1 where id = 1"))
        .containsExactly("changed 1");
    run(client, "create index here_v on here (v)");
    assertThat(shardsOf("here_v")).containsExactly(PLAIN);
    run(client, "alter table here add column more text default 'x'");
    assertThat(run(client, "select more from here where v = 11")).containsExactly("x");
    assertThat(run(client, "insert into ref select id + 100, 0 from here"))
        .containsExactly("0A000");
    assertThat(run(client, "select 1 from here, there")).containsExactly("0A000");
    assertThat(run(client, "show shard map").stream().filter("here"::equals)).isEmpty();
    run(client, "drop table here, there");
    assertThat(shardsOf("here")).isEmpty();
    assertThat(shardsOf("there")).isEmpty();
  }

  /**
   * One server, that of the table, computes it of the rows of all; what it would lock is refused.
   */
  @Test
  void itsRowsMeetThoseOfAllShards() throws SQLException {
    run(client, "create table owner (id int primary key, name text)");
    assertThat(run(client, "insert into owner values (2, 'b'), (3, 'c'), (40, 'd')"))
        .containsExactly("changed 3");
    assertThat(run(client, "select name || v from owner join t on k = id order by k"))
        .containsExactly("b2", "c3");
    assertThat(run(client, "select name from owner left join t on k = id where k is null"))
        .containsExactly("d");
    assertThat(run(client, "select count(*) from t where k not in (select id from owner)"))
        .containsExactly("7");
    for (int key = 1; key <= 9; key++) {
      String one = "select k from t where k = " + key + " and exists (select from owner)";
      assertThat(run(client, one)).as(one).containsExactly(Integer.toString(key));
      String none = one + " and k in (select -id from owner)";
      assertThat(run(client, none)).as(none).isEmpty();
    }
    try (PreparedStatement prepared =
        client.prepareStatement("select name from owner, t where k = ? and id = k + ?")) {
      for (int key = 1; key <= 9; key++) {
        prepared.setInt(1, key);
        prepared.setInt(2, 3 - key);
        try (ResultSet rows = prepared.executeQuery()) {
          assertThat(rows.next()).as("key %d", key).isTrue();
          assertThat(rows.getString(1)).isEqualTo("c");
        }
      }
    }
    assertThat(run(client, "insert into t select id + 100, 1 from owner"))
        .containsExactly("changed 3");
    assertThat(run(client, "insert into t select 200, id from owner where name = 'd'"))
        .containsExactly("changed 1");
    assertThat(run(client, "delete from t where k > 100 returning v"))
        .containsExactlyInAnyOrder("1", "1", "1", "40");
    eachGives(
        "0A000",
        "insert into owner select k, 'x' from t",
        "update owner set name = 'y' from t where k = id",
        "update t set v = id from owner where k = id",
        "delete from t where k in (select id from owner)",
        "select 1 from t, owner where k = id for update",
        "select public.owner.name from owner, t where k = id",
        "copy (select v from t, owner where k = 5) to stdout");
    run(client, "drop table owner");
  }

  @Test
  void tablesMadeInATransactionReferToEachOther() throws SQLException {
    client.setAutoCommit(false);
    run(client, "create table parent (id int generated always as identity primary key, n text)");
    run(client, "create table child (parent int references parent on delete cascade)");
    assertThat(run(client, "insert into parent (n) values ('a') returning id"))
        .containsExactly("1");
    assertThat(run(client, "insert into child select id from parent")).containsExactly("changed 1");
    client.commit();
    client.setAutoCommit(true);
    assertThat(run(client, "delete from parent where n = 'a'")).containsExactly("changed 1");
    assertThat(run(client, "select count(*) from child")).containsExactly("0");
    assertThat(run(client, "create table bad (k int references t)")).containsExactly("0A000");
    run(client, "drop table child; drop table parent");
  }

  @Test
  void anotherProxyReadsItFromTheCatalogs() throws SQLException {
    run(client, "create table known (id int primary key)");
    run(client, "insert into known values (7)");
    try (RunningProxy other = proxy.beside();
        Connection connection = other.connect()) {
      assertThat(run(connection, "insert into known values (8)")).containsExactly("changed 1");
      assertThat(run(connection, "select id from known order by id")).containsExactly("7", "8");
    }
    run(client, "drop table known");
  }

  /** A table on some shards may be about to be made on the others. */
  @Test
  void withoutItsMarkATableOfOneShardIsNotServed() throws SQLException {
    run(client, "create table marked (id int)");
    run(client, "alter table marked drop constraint \"shardmark one shard\"");
    try (Connection simple = proxy.connect("preferQueryMode=simple")) {
      assertThat(run(simple, "insert into marked values (1)")).containsExactly("0A000");
    }
    run(client, "drop table marked");
  }

  @Test
  void viewsOfItAreWhereItIs() throws SQLException {
    run(client, "create table base (id int)");
    run(client, "insert into base values (1), (2)");
    run(client, "create view seen as select id * 10 as ten from base join ref using (id)");
    assertThat(shardsOf("seen")).containsExactly(PLAIN);
    assertThat(run(client, "select ten from seen order by 1")).containsExactly("10", "20");
    run(client, "drop view seen");
    assertThat(shardsOf("seen")).isEmpty();
    run(client, "drop table base");
  }

  /** As on one server: what names only tables of the shard is not refused. */
  @Test
  void statementsOnItAreLeftToItsServer() throws SQLException {
    try (Connection plain = RunningProxy.open(RunningProxy.plainDatabase())) {
      run(plain, "create table ref (id int primary key, v int)");
      run(plain, "insert into ref select g, g from generate_series(1, 3) g");
      run(plain, "create table far (id int primary key, v int)");
      run(client, "create table far (id int primary key, v int) with (shard = 3)");
      for (String sql :
          List.of(
              "insert into far values (1, 10), (2, 20)",
              "merge into far using ref on far.id = ref.id when matched and ref.id > 1 then update set v = far.v + ref.v when not matched then insert values (ref.id, 30)",
              "select id * 1000 + v from far order by id",
              "merge into far using (select 5 as id) s on far.id = s.id when not matched then insert values (s.id, (select max(v) from ref))",
              "merge into far using ref on far.id = ref.id when matched and exists (select from far o where o.v > 10 and o.id = ref.id) then update set (id, v) = (select far.id, sum(id) from ref)",
              "with w as (select 5 as id) merge into far using w on far.id = w.id when matched then delete",
              "select id * 1000 + v from far order by id",
              "create materialized view stored as select v from far",
              "create unique index stored_v on stored (v)",
              "delete from far where id = 1",
              "refresh materialized view stored",
              "insert into far values (4, 40)",
              "refresh materialized view concurrently stored",
              "select v from stored order by v",
              "create table copied as select far.v from far join ref using (id)",
              "insert into copied values (7)",
              "create table if not exists copied as select v from far",
              "create table if not exists far as select 1 as one",
              "create table if not exists ref as select v from far",
              "select v from copied order by v",
              "create index far_v on far (v)",
              "create index copied on far (v)",
              "alter index far_v rename to copied",
              "alter index far_v rename to far_w",
              "create index far_v on copied (v)",
              "drop index far_v",
              "create statistics far_v on id, v from far",
              "alter statistics far_v set statistics 100",
              "comment on statistics far_v is 'both'",
              "drop statistics far_v",
              "drop statistics if exists far_v",
              "create index on far (v)",
              "create index on far (v)",
              "create index on far (abs(v), id)",
              "create index on far ((v + id))",
              "create index on far (id, id, (v))",
              "create index if not exists far_v_idx on far (id)",
              "create statistics on id, v from far",
              "drop statistics far_id_v_stat",
              "drop index far_v_idx, far_v_idx1, far_abs_id_idx, far_expr_idx, far_id_id1_v_idx",
              "drop index far_w",
              "drop materialized view stored",
              "drop table copied, far")) {
        assertThat(run(client, sql)).as(sql).isEqualTo(run(plain, sql));
      }
    }
    assertThat(run(client, "create table here (id int)")).containsExactly("changed 0");
    assertThat(run(client, "create table far (id int) with (shard = 3)"))
        .containsExactly("changed 0");
    run(client, "create index named on far (id)");
    assertThat(run(client, "create index named on here (id)")).containsExactly("42P07");
    assertThat(
            run(client, "merge into far using here on far.id = here.id when matched then delete"))
        .containsExactly("0A000");
    run(client, "drop table here, far");
  }

  /** A server would choose a name that it does not have, and another one has. */
  @Test
  void indexesGetNamesThatNoOtherShardHas() throws SQLException {
    run(client, "create table there (a int, b_c int) with (shard = 3)");
    run(client, "create table there_a (b int)");
    eachGives(
        "changed 0",
        "create index there_a_b_idx on there (a)",
        "create index on there_a (b)",
        "create index there_a_b_idx2 on there (b_c)",
        "begin; create index on there_a (b); create index on there_a (b); commit",
        "create index there_a_idx on ref (v)",
        "create index on there (a)",
        "create index if not exists there_a_idx on there (b_c)",
        "create index ref_v_idx on there (b_c)",
        "create index on ref (v)",
        "drop index there_a_b_idx");
    assertThat(shardsOf("there_a_b_idx")).isEmpty();
    assertThat(shardsOf("there_a_b_idx1")).containsExactly(PLAIN);
    assertThat(shardsOf("there_a_b_idx2")).containsExactly(2);
    assertThat(shardsOf("there_a_b_idx3")).containsExactly(PLAIN);
    assertThat(shardsOf("there_a_b_idx4")).containsExactly(PLAIN);
    assertThat(shardsOf("there_a_idx1")).containsExactly(2);
    assertThat(shardsOf("ref_v_idx1")).containsExactly(0, 1, 2);
    assertThat(run(client, "create index if not exists there_a_idx1 on there_a (b)"))
        .containsExactly("0A000");
    run(client, "drop index there_a_idx, ref_v_idx1");
    run(client, "drop table there, there_a");
  }

  @Test
  void statisticsHaveNamesThatNoOtherShardHas() throws SQLException {
    run(client, "create table far (a int, b int) with (shard = 3)");
    run(client, "create table here (a int, b int)");
    eachGives(
        "changed 0",
        "create statistics far_s on a, b from far",
        "create statistics far on a, b from here",
        "create schema other",
        "create statistics other.far_s on a, b from here");
    eachGives(
        "42710",
        "create statistics far_s on a, b from here",
        "create statistics far on a, b from far",
        "alter statistics far rename to far_s",
        "alter statistics other.far_s set schema public");
    run(client, "drop schema other cascade; drop table here, far");
  }

  /** Its rows are on other shards too. */
  @Test
  void mergeThatReadsShardedTableIsRefused() {
    run(client, "create table far (id int primary key, v int) with (shard = 3)");
    String update = "merge into far using ref on far.id = ref.id when matched then update set v = ";
    eachGives(
        "0A000",
        update + "(select max(v) from t)",
        "merge into far using t on far.id = t.v and t.k = 1 when not matched then insert values (t.k, 1)",
        "merge into far using ref on far.id = ref.id and ref.id = 1 when not matched then insert values (0, (select v from t where k = ref.id))",
        "with w as (select k from t) merge into far using w on far.id = w.k when matched then delete",
        "merge into t using far on t.k = far.id when matched then delete");
    run(client, "drop table far");
  }

  /** Two tables of one name would be parts of neither. */
  @Test
  void aNameMeansOneTableOfTheCluster() throws SQLException {
    run(client, "create table first (id int)");
    run(client, "create table second (id int) with (shard = 3)");
    run(client, "insert into first values (1)");
    run(client, "insert into second values (2)");
    eachGives(
        "42P07",
        "create table second (id int)",
        "create table first (id int) with (shard = 2)",
        "create table first (id int) with (shard = all)",
        "create view second as select 1 from first",
        "create view first as select 1",
        "alter table second rename to first",
        "alter table ref rename to second");
    eachGives(
        "changed 0",
        "create table if not exists second (id int)",
        "create table if not exists second (id int) with (shard = all)",
        "create table if not exists first (id int) with (shard = 3)",
        "create table if not exists t (id int)");
    run(client, "create schema more");
    run(client, "create table more.first (id int) with (shard = 2)");
    assertThat(run(client, "alter table more.first set schema public")).containsExactly("42P07");
    assertThat(run(client, "alter table second rename to third")).containsExactly("changed 0");
    assertThat(run(client, "select id from first union all select id * 10 from ref where id = 3"))
        .containsExactlyInAnyOrder("1", "30");
    assertThat(run(client, "select id from third")).containsExactly("2");
    assertThat(shardsOf("first")).containsExactly(PLAIN);
    assertThat(shardsOf("third")).containsExactly(2);
    run(client, "drop schema more cascade; drop table first, third");
  }

  /** Its map does not have the table. */
  @Test
  void anotherProxySkipsWhatIsThereJustNow() throws SQLException {
    try (RunningProxy other = proxy.beside("unsharded_tables: s2");
        Connection connection = other.connect()) {
      run(client, "create table fresh (id int)");
      assertThat(run(connection, "create table if not exists fresh (id int)"))
          .containsExactly("changed 0");
      assertThat(run(connection, "create table fresh (id int)")).containsExactly("42P07");
    }
    assertThat(shardsOf("fresh")).containsExactly(PLAIN);
    run(client, "drop table fresh");
  }

  @Test
  void ofTwoTransactionsOneMakesTheTable() throws Exception {
    try (Connection one = proxy.connect();
        Connection two = proxy.connect()) {
      one.setAutoCommit(false);
      assertThat(run(one, "create table race (id int) with (shard = 2)"))
          .containsExactly("changed 0");
      CompletableFuture<List<String>> later =
          CompletableFuture.supplyAsync(
              () -> run(two, "create table race (id int) with (shard = 3)"));
      Await.until(
          "it waits for the other",
          () ->
              proxy.onShard(0, "select count(*) > 0 from pg_locks where not granted").equals("t"));
      one.commit();
      // A server says of a race in its catalog which index it would break.
      assertThat(later.get().get(0)).isIn("42P07", "23505");
    }
    assertThat(shardsOf("race")).containsExactly(1);
    run(client, "drop table race");
  }

  @Test
  void itsSequenceIsWhereItIs() {
    run(client, "create table counted (id serial, v int) with (shard = 3)");
    run(client, "create sequence dealt");
    for (String mode : List.of("extended", "simple")) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode)) {
        assertThat(run(connection, "select setval('counted_id_seq', 100)")).containsExactly("100");
        assertThat(run(connection, "select nextval('counted_id_seq')")).containsExactly("101");
        assertThat(run(connection, "select last_value from counted_id_seq")).containsExactly("101");
        String most =
            "select setval(pg_get_serial_sequence('counted', 'id'), coalesce(max(id), 7), false)"
                + " from counted";
        assertThat(run(connection, most)).containsExactly("7");
        assertThat(run(connection, "insert into counted (v) values (1) returning id"))
            .containsExactly("7");
        assertThat(run(connection, "alter sequence counted_id_seq increment 5 restart 50"))
            .containsExactly("changed 0");
        assertThat(run(connection, "insert into counted (v) values (1) returning id"))
            .containsExactly("50");
        assertThat(run(connection, "select 1, setval('counted_id_seq', 60), setval('dealt', 1)"))
            .as("one is dealt to all shards")
            .containsExactly("0A000");
        assertThat(run(connection, "alter sequence counted_id_seq increment 1 restart 1"))
            .containsExactly("changed 0");
        run(connection, "delete from counted");
      } catch (SQLException e) {
        throw new IllegalStateException(mode, e);
      }
    }
    assertThat(run(client, "grant usage on sequence counted_id_seq to public"))
        .containsExactly("changed 0");
    run(client, "drop table counted; drop sequence dealt");
  }

  @Test
  void whatAnyServerWouldNotUnderstandGoesToItsShard() throws SQLException {
    run(client, "create table far (id int primary key, v int) with (shard = 3)");
    run(client, "insert into far values (1, 10), (2, 20)");
    assertThat(run(client, "insert into t select id + 700, t.v from far join t on k = id"))
        .containsExactly("changed 2");
    assertThat(run(client, "delete from t where k > 700")).containsExactly("changed 2");
    client.setAutoCommit(false);
    assertThat(run(client, "declare c cursor for select far.v + t.v from far, t where k = id"))
        .containsExactly("changed 0");
    assertThat(run(client, "fetch all from c")).containsExactlyInAnyOrder("11", "22");
    assertThat(run(client, "declare d cursor for select v from far")).containsExactly("changed 0");
    assertThat(run(client, "fetch all from d")).containsExactly("10", "20");
    client.commit();
    client.setAutoCommit(true);
    try (Connection simple = proxy.connect("preferQueryMode=simple")) {
      assertThat(run(simple, "select 1 from far, nowhere")).containsExactly("42P01");
    }
    assertThat(run(client, "create table alike (like far including all) with (shard = 3)"))
        .containsExactly("changed 0");
    assertThat(
            run(
                client,
                "create table alike2 (like far including all excluding constraints, x int) with (shard = 3)"))
        .containsExactly("changed 0");
    assertThat(run(client, "insert into alike values (1, 1)")).containsExactly("changed 1");
    assertThat(run(client, "insert into alike2 values (1, 1, 1)")).containsExactly("changed 1");
    assertThat(run(client, "create table other (like far)")).containsExactly("0A000");
    run(client, "drop table alike, alike2, far");
  }
}
