package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Statements of every kind through the proxy on two shards: right, or refused with a sentence. */
final class StatementKindsTest {
  @AutoClose private static RunningProxy proxy;
  private Connection connection;
  private Statement statement;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4");
    proxy.makeOnShards(
        """
        create collation folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        create table t (id int primary key, v int, ci text collate folding) partition by hash (id);
        create table t_$shard partition of t for values with (modulus 2, remainder $shard);
        create table r (id int primary key, v int, at timestamptz default now());
        create table s (id int primary key, at timestamptz);
        create view over_t as select id, v from t""");
  }

  @BeforeEach
  void connect() throws SQLException {
    proxy.onShards("truncate t; truncate r");
    connection = proxy.connect("preferQueryMode=simple");
    statement = connection.createStatement();
    statement.execute(
        "insert into t values (1, 10, 'a'), (2, 20, 'A'), (3, 30, 'b'), (4, 40, 'a'), (5, 50, 'B')");
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  private List<String> rows(String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      List<String> list = new ArrayList<>();
      while (rows.next()) {
        list.add(String.valueOf(rows.getString(1)));
      }
      return list;
    }
  }

  private ServerErrorMessage error(String sql) {
    try {
      statement.execute(sql);
    } catch (PSQLException e) {
      ServerErrorMessage message = e.getServerErrorMessage();
      assertThat(message).as(sql).isNotNull();
      return message;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
    throw new AssertionError(sql + " succeeds");
  }

  private void refused(String sql, String words) {
    ServerErrorMessage error = error(sql);
    assertThat(error.getSQLState()).as("%s: %s", sql, error.getMessage()).isEqualTo("0A000");
    assertThat(error.getMessage()).as(sql).contains(words);
  }

  private void failsAsOnAServer(String sql, String state, int position) {
    ServerErrorMessage error = error(sql);
    assertThat(error.getSQLState()).as("%s: %s", sql, error.getMessage()).isEqualTo(state);
    assertThat(error.getPosition()).as(sql).isEqualTo(position);
  }

  @Test
  void serversTellWhatIsWrongWithAStatement() throws SQLException {
    failsAsOnAServer("select * from missing", "42P01", 15);
    failsAsOnAServer("insert into missing values (1)", "42P01", 13);
    failsAsOnAServer("select missing from t", "42703", 8);
    failsAsOnAServer("selec 1", "42601", 1);
    failsAsOnAServer("select 1 frm t, where", "42601", 14);
    failsAsOnAServer("update t set v = 1 where", "42601", 25);
    failsAsOnAServer("insert into t values (", "42601", 23);
    failsAsOnAServer("select count(distinct nothing) from t group by v", "42703", 23);
    failsAsOnAServer("select missing_function(id) from t", "42883", 8);
    // Of several statements the position counts from the start of all.
    failsAsOnAServer("select 1; select * from missing", "42P01", 25);
    assertThat(rows("select count(*) from t")).containsExactly("5");
  }

  @Test
  void anErrorOfAServerFailsTheTransaction() throws SQLException {
    statement.execute("begin");
    statement.execute("update t set v = 0 where id = 1");
    failsAsOnAServer("select * from missing", "42P01", 15);
    assertThat(error("select 1").getSQLState()).isEqualTo("25P02");
    statement.execute("rollback");
    assertThat(rows("select v from t where id = 1")).containsExactly("10");
  }

  @Test
  void whatIsNotKnownYetIsLookedUpInTheCatalogs() throws SQLException {
    statement.execute("begin");
    proxy.onShards(
        "create table newer (id int primary key); create view newer_view as select * from newer;"
            + " create function newer_twice(int) returns int immutable language sql as 'select 2 *"
            + " $1'; create schema other; create table other.newer (id int)");
    statement.execute("insert into newer values (1), (2)");
    assertThat(rows("select id from newer_view order by 1")).containsExactly("1", "2");
    statement.execute("truncate newer");
    statement.execute("insert into newer values (3)");
    statement.execute("commit");
    assertThat(rows("select newer_twice(id) from newer")).containsExactly("6");
    assertThat(rows("select count(*) from t where newer_twice(id) > 0")).containsExactly("5");
    proxy.onShards("create function newer_thrice(int) returns int immutable return 3 * $1");
    assertThat(rows("select count(*) from t where newer_thrice(id) > 0")).containsExactly("5");
    statement.execute("drop table newer cascade");
    proxy.onShards("drop schema other cascade; drop function newer_twice, newer_thrice");
  }

  @Test
  void settingsStayWhenAStatementIsRefused() throws SQLException {
    statement.execute("set search_path = pg_temp, public");
    refused("select id from t limit 1 for update", "LIMIT");
    refused("select * from over_t", "view over sharded tables");
    assertThat(rows("show search_path")).containsExactly("pg_temp, public");
  }

  @Test
  void foldedTextsAreGroupedByAServerOnly() throws SQLException {
    assertThat(rows("select count(*) from t group by ci order by 1")).containsExactly("2", "3");
    assertThat(rows("select distinct lower(ci) from t order by 1")).containsExactly("a", "b");
    assertThat(rows("select lower(min(ci)) from t")).containsExactly("a");
    assertThat(rows("select id from t order by ci desc, id limit 3"))
        .containsExactly("3", "5", "1");
    assertThat(rows("select count(*) from t where ci = 'A'")).containsExactly("3");
    assertThat(rows("select id from t where ci = 'B' order by id")).containsExactly("3", "5");
  }

  @Test
  void copiesStayTheSame() throws SQLException {
    statement.execute("/* shardmark_shard: s1 */ insert into r (id) values (2)");
    statement.execute("set shardmark.shard = 's1'");
    statement.execute("insert into r values (1, 2, '2026-01-01')");
    statement.execute("insert into r (id) values (3)");
    statement.execute("reset shardmark.shard");
    String rows = "select string_agg(r::text, ' ' order by id) from r";
    assertThat(proxy.onShard(0, rows)).isEqualTo(proxy.onShard(1, rows)).contains("(3,,");
    refused("explain analyze update r set v = 3", "EXPLAIN ANALYZE");
    refused("/* shardmark_shard: s1 */ explain analyze update r set v = 3", "EXPLAIN ANALYZE");
  }

  /** Else a change that has reached one shard and not yet the other would be seen on the one. */
  @Test
  void copiesAreLockedWhereRowsDecide() throws SQLException {
    String locks =
        "select count(*) from pg_locks where mode = 'ShareRowExclusiveLock' and granted"
            + " and relation in ('r'::regclass, 's'::regclass)";
    try (Connection writer = proxy.connect("preferQueryMode=simple");
        Statement write = writer.createStatement()) {
      writer.setAutoCommit(false);
      for (int shard = 0; shard < 2; shard++) {
        write.execute("insert into r values (1, 2, '2026-01-01')");
        assertThat(proxy.onShard(shard, locks)).isEqualTo("0");
        write.execute("update r set v = 3 where v = 2");
        assertThat(proxy.onShard(shard, locks)).isEqualTo("1");
        writer.rollback();
        write.execute("insert into r select id, id, at from s");
        assertThat(proxy.onShard(shard, locks)).isEqualTo("2");
        writer.rollback();
        assertThat(proxy.onShard(shard, locks)).isEqualTo("0");
      }
    }
  }

  @Test
  void optionsOfTheStartupAreSettings() throws SQLException {
    connection.close();
    connection =
        proxy.connect(
            "options=-c%20search_path=pg_temp,public%20--lock-timeout=7s%20-cwork_mem=5MB");
    statement = connection.createStatement();
    assertThat(rows("show search_path")).containsExactly("pg_temp,public");
    assertThat(rows("show lock_timeout")).containsExactly("7s");
    assertThat(rows("show work_mem")).containsExactly("5MB");
    connection.close();
    connection = proxy.connect("options=-c%20standard_conforming_strings=on");
    for (String option : List.of("standard_conforming_strings=off", "password_encryption=md5")) {
      assertThatThrownBy(() -> proxy.connect("options=-c%20" + option))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
    }
    // A parameter of the message itself counts more, as in PostgreSQL; pgjdbc asks for UTF8.
    connection.close();
    connection = proxy.connect("options=-c%20client_encoding=latin1");
    statement = connection.createStatement();
    assertThat(rows("show client_encoding")).containsExactly("UTF8");
  }

  @Test
  void theTimeOfNowIsNoParameterOfACopy() throws SQLException {
    connection.close();
    connection = proxy.connect();
    statement = connection.createStatement();
    try (PreparedStatement insert =
        connection.prepareStatement("insert into r (id, at) values (?, ?)")) {
      insert.setInt(1, 1);
      insert.setObject(2, "now", Types.OTHER);
      assertThatThrownBy(insert::execute)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
      insert.setObject(2, "2026-01-01 12:00Z", Types.OTHER);
      assertThat(insert.executeUpdate()).isEqualTo(1);
    }
    assertThat(proxy.onShard(0, "select at::text from r"))
        .isEqualTo(proxy.onShard(1, "select at::text from r"));
  }

  @Test
  void chainedTransactionsGoOnWithTheSameModes() throws SQLException {
    statement.execute("begin isolation level read committed read only");
    rows("select v from t where id = 1");
    statement.execute("commit and chain");
    assertThat(rows("show transaction_read_only")).containsExactly("on");
    statement.execute("rollback and chain");
    assertThat(error("update t set v = 1 where id = 1").getSQLState()).isEqualTo("25006");
    statement.execute("rollback");
    statement.execute("begin");
    statement.execute("update t set v = 1");
    statement.execute("commit and chain");
    statement.execute("update t set v = 2");
    statement.execute("rollback");
    assertThat(rows("select distinct v from t")).containsExactly("1");
    assertThat(error("commit and chain").getSQLState()).isEqualTo("25P01");
  }

  @Test
  void whatBelongsToAPartitionGoesToItsShard() throws SQLException {
    statement.execute("create index only_one on t_1 (v)");
    statement.execute("comment on index only_one is 'x'");
    statement.execute("alter index only_one set (fillfactor = 50)");
    statement.execute("reindex index only_one");
    assertThat(proxy.onShard(0, "select count(*) from pg_class where relname = 'only_one'"))
        .isEqualTo("0");
    assertThat(proxy.onShard(1, "select count(*) from pg_class where relname = 'only_one'"))
        .isEqualTo("1");
    statement.execute("drop index only_one");
    assertThat(proxy.onShard(1, "select count(*) from pg_class where relname = 'only_one'"))
        .isEqualTo("0");
    assertThat(error("drop index only_one").getSQLState()).isEqualTo("42704");
    statement.execute(
        "create function twice() returns trigger language plpgsql as"
            + " $$ begin new.v = 2 * new.v; return new; end $$");
    statement.execute(
        "create trigger twice before update on t_1 for each row execute function twice()");
    statement.execute("comment on trigger twice on t_1 is 'x'");
    statement.execute("drop trigger twice on t_1");
    statement.execute(
        "create trigger twice before insert on r for each row execute function twice()");
    refused("insert into r values (1, 2, '2026-01-01')", "trigger or rule");
    statement.execute("alter function twice() immutable");
    statement.execute("insert into r values (1, 2, '2026-01-01')");
    assertThat(rows("select v from r")).containsExactly("4");
    statement.execute("drop function twice() cascade");
  }

  @Test
  void objectsOfAllKindsAreMadeOnAllShards() throws SQLException {
    statement.execute("create schema made");
    statement.execute("create type made.mood as enum ('a', 'b')");
    statement.execute("create domain made.small as int check (value < 100)");
    statement.execute("create table made.x (id int primary key, m made.mood, s made.small)");
    statement.execute("create view made.y as select id, m from made.x where s > 1");
    statement.execute(
        "create function made.f(int) returns int language sql immutable return $1 + 1");
    statement.execute("grant select on made.x to public");
    statement.execute("comment on view made.y is 'x'");
    statement.execute("create table made.z as select id from made.x");
    statement.execute("insert into made.x values (1, 'a', 5)");
    assertThat(rows("select m from made.y")).containsExactly("a");
    refused("create table made.w as select * from t", "other rows on each shard");
    refused("create table made.w as select * from made.x limit 3", "other rows on each shard");
    refused("create table made.w as select made.f(id) from made.x", "other rows on each shard");
    refused("select id into made.w from r", "SELECT INTO");
    refused("do $$ begin delete from t; end $$", "DO");
    assertThat(error("call made.p()").getSQLState()).isEqualTo("42883");
    statement.execute("create procedure made.p() language sql as 'select 1'");
    refused("call made.p()", "CALL");
    refused(
        "merge into t using r on t.id = r.id when matched then delete", "MERGE is not supported");
    assertThat(rows("select made.f(1)")).containsExactly("2");
    statement.execute("alter function made.f volatile");
    refused("select made.f(1)", "function f()");
    assertThat(rows("select made.f(v) from t where id = 1")).containsExactly("11");
    statement.execute("begin");
    statement.execute("set constraints all deferred");
    statement.execute("commit");
    statement.execute("drop schema made cascade");
    for (int shard = 0; shard < 2; shard++) {
      assertThat(proxy.onShard(shard, "select count(*) from pg_namespace where nspname = 'made'"))
          .isEqualTo("0");
    }
  }

  private void inTransaction(String ddl, String sql, String... expected) throws SQLException {
    statement.execute("begin");
    statement.execute(ddl);
    if (statement.execute(sql)) {
      assertThat(rows(sql)).containsExactly(expected);
    } else {
      assertThat(statement.getUpdateCount()).isEqualTo(Integer.parseInt(expected[0]));
    }
    statement.execute("rollback");
  }

  @Test
  void whatThisTransactionChangedIsPlannedAsItIsNow() throws SQLException {
    for (String mode : List.of("simple", "extended")) {
      connection.close();
      connection = proxy.connect("preferQueryMode=" + mode);
      statement = connection.createStatement();
      inTransaction("create table n (id int)", "insert into n values (1)", "1");
      inTransaction("create table n (id int)", "select * from n");
      inTransaction(
          "alter table r alter at set default '2026-01-01'", "insert into r (id) values (1)", "1");
      String left = rows("select count(*) from t_0").get(0);
      inTransaction("alter table t detach partition t_1", "select count(*) from t", left);
      inTransaction("alter table r drop column v", "select count(*) from r", "0");
      inTransaction("alter table r rename to q", "select count(*) from q", "0");
      statement.execute("begin");
      statement.execute("alter table t add column w int");
      assertThat(statement.executeUpdate("update t set w = 1 where id = 1")).isEqualTo(1);
      assertThat(statement.executeUpdate("update t set w = 2")).isEqualTo(5);
      statement.execute("create table n (id int primary key)");
      statement.execute("commit");
      assertThat(statement.executeUpdate("insert into n values (1)")).isEqualTo(1);
      statement.execute("drop table n");
      statement.execute("alter table t drop column w");
    }
  }

  @Test
  void locksWhereTheTableIs() throws SQLException {
    statement.execute("begin");
    statement.execute("lock table t_1 in access exclusive mode");
    String locks =
        "select count(*) from pg_locks l join pg_class c on c.oid = relation and relname = 't_1'"
            + " where mode = 'AccessExclusiveLock'";
    assertThat(proxy.onShard(1, locks)).isEqualTo("1");
    statement.execute("lock t, r");
    statement.execute("rollback");
    statement.execute("begin");
    refused("lock t_0, t_1", "different shards");
    statement.execute("rollback");
  }

  @Test
  void explains() throws SQLException {
    assertThat(rows("explain select * from t where id = 1").toString()).contains("t_");
    assertThat(rows("explain select count(*) from t")).isNotEmpty();
    assertThat(rows("explain analyze select * from t where id = 1")).isNotEmpty();
    refused("explain analyze select count(*) from t", "EXPLAIN");
  }

  @Test
  void partitionsAreCheckedAgainstThoseOfOtherShards() throws SQLException {
    statement.execute("create table l (k int, v int) partition by list (k)");
    try {
      statement.execute("create table l_1 partition of l for values in (1) with (shard = 1)");
      assertThat(error("create table l_x partition of l for values in (1) with (shard = 2)"))
          .extracting(ServerErrorMessage::getSQLState, ServerErrorMessage::getMessage)
          .containsExactly("42P17", "partition \"l_x\" would overlap partition \"l_1\"");
      statement.execute("create table l_d partition of l default with (shard = 2)");
      statement.execute("insert into l values (1, 1), (7, 7)");
      assertThat(error("create table l_7 partition of l for values in (7) with (shard = 1)"))
          .extracting(ServerErrorMessage::getSQLState)
          .isEqualTo("23514");
      assertThat(rows("select v from l where k = 7")).containsExactly("7");
      statement.execute("create table l_8 partition of l for values in (8) with (shard = 1)");
      statement.execute("create table l_9 (k int, v int)");
      statement.execute("alter table l attach partition l_9 for values in (9)");
      statement.execute("insert into l values (8, 8), (9, 9)");
      assertThat(rows("select v from l order by v")).containsExactly("1", "7", "8", "9");
      statement.execute("create table l_10 (k int, v int)");
      statement.execute("insert into l_10 values (1, 10)");
      assertThat(error("alter table l attach partition l_10 for values in (10)"))
          .extracting(ServerErrorMessage::getSQLState)
          .isEqualTo("23514");
    } finally {
      statement.execute("drop table if exists l_10, l");
    }
  }
}
