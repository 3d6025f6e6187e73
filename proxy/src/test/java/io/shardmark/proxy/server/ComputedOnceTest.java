package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * Writes to reference tables of what differs between servers: one computes it, all copies are
 * equal, and the client is answered as by one server.
 */
final class ComputedOnceTest {
  private static final int SHARDS = 3;
  private static final List<String> TABLES = List.of("owner", "a", "n", "child", "folded");

  /** Numbers are dealt to the shards in turn, so the first one gives every third. */
  private static final String MADE =
      """
      create table owner (name text primary key);
      create table a (id %1$s primary key, v int, at timestamptz not null default now(),
        who text default current_user, u uuid default gen_random_uuid(), mark char(4),
        doubled int generated always as (v * 2) stored, tags text[], f float8 default random());
      create table n (x int, f float8 default random(), note text, at timestamp default localtimestamp);
      create table child (id %2$s primary key,
        a int references a on delete cascade on update cascade, made timestamptz default clock_timestamp());
      create table folded (k int, name text default 'none', at date default current_date, unique (name, k));
      """;

  @AutoClose private static RunningProxy proxy;
  private static final List<Connection> shards = new ArrayList<>();
  private static Connection client;
  private static Connection plain;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(SHARDS, "pool_size: 4", "scatter_memory_limit: 1MB");
    plain = RunningProxy.open(RunningProxy.plainDatabase());
    try (Statement statement = plain.createStatement()) {
      String dealt = "generated %s as identity (increment by 3)";
      statement.execute(
          MADE.formatted(
              "int " + dealt.formatted("by default"), "bigint " + dealt.formatted("always")));
    }
    client = proxy.connect();
    try (Statement statement = client.createStatement()) {
      statement.execute(MADE.formatted("serial", "bigint generated always as identity"));
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.add(proxy.shard(shard));
    }
  }

  /** Sequences go on as they are, on both sides. */
  @BeforeEach
  void clear() {
    for (Connection each : List.of(client, plain)) {
      run(each, "rollback");
      TABLES.forEach(table -> run(each, "delete from " + table));
    }
  }

  @AfterAll
  static void close() throws SQLException {
    client.close();
    plain.close();
    for (Connection shard : shards) {
      shard.close();
    }
  }

  /** Rows of the first result as texts, or the number of changed rows, or the error. */
  private static List<String> run(Connection connection, String sql, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.execute() ? rows(statement.getResultSet()) : count(statement);
    } catch (SQLException e) {
      return List.of(String.valueOf(e.getSQLState()));
    }
  }

  private static List<String> count(Statement statement) throws SQLException {
    return List.of("changed " + statement.getUpdateCount());
  }

  private static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    while (result.next()) {
      List<String> values = new ArrayList<>();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        values.add(result.getString(i));
      }
      rows.add(String.join("|", values.stream().map(String::valueOf).toList()));
    }
    return rows;
  }

  private static void assertCopiesEqual(String after) {
    String lines =
        TABLES.stream()
            .map(table -> "select '%1$s', t::text from %1$s t".formatted(table))
            .collect(Collectors.joining(" union all ", "", " order by 1, 2"));
    List<String> first = run(shards.get(0), lines);
    for (int shard = 1; shard < SHARDS; shard++) {
      assertThat(run(shards.get(shard), lines)).as("copies after %s", after).isEqualTo(first);
    }
  }

  /** In the words of PostgreSQL, from one server and from all of them, and all copies equal. */
  private static void assertSame(String sql, Object... parameters) {
    List<String> expected = run(plain, sql, parameters);
    List<String> rows = run(client, sql, parameters);
    if (sql.contains("order by")) {
      assertThat(rows).as(sql).isEqualTo(expected);
    } else {
      assertThat(rows).as(sql).containsExactlyInAnyOrderElementsOf(expected);
    }
    assertCopiesEqual(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into a (v) values (1)",
        "insert into a (v) values (1), (2), (3) returning id, v, doubled",
        "insert into a default values",
        "insert into a (v, at) values (5, now()) returning at = now(), who = current_user",
        "insert into a (id, v) values (default, 1), (100, 2) returning id, v, at is null",
        "insert into a (v, mark, tags) values (1, 'a', '{x,\"y,z\",NULL}') returning id, mark, tags",
        "insert into a (v) select g from generate_series(1, 20) g returning id, v",
        "insert into a (v) select count(*) from a",
        "insert into a (v) values ((random() * 1000000)::int)",
        "insert into a (v) values (1) returning (select count(*) from a)",
        "insert into owner values (current_user)",
        "insert into owner select 'o' || g from generate_series(1, 3) g",
        "insert into n (x) values (1), (1), (1)",
        "insert into child (a) values (null) returning id",
        "insert into child (id, a) overriding system value values (7, null) returning id",
        "insert into child (a) values (99)",
        "insert into folded (k) values (1), (2) on conflict (name, k) do nothing",
        "insert into a (id, v) values (1, 1) on conflict (id) do update set v = a.v + 1, at = now() returning v",
        "with w as (select 5 as x) insert into a (v) select x from w returning v",
        "insert into a (v) values (1) -- a comment",
        "insert into a (v) values ('x')",
        "insert into a (nothing) values (now())",
        "insert into a as t (v) values (3) returning t.v",
        "insert into folded (k, at) values (1, 'today')"
      })
  void insertsAsOneServer(String sql) {
    assertSame(sql);
    assertSame(sql); // on the rows of the first time
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "postgres_verbose", "iso_8601"})
  void intervalsAreTheSameOnAllCopies(String style) {
    String some = "(random() - 0.5) * interval '14 mons -40 days 30:00:00.654321'";
    run(client, "begin");
    run(client, "set local intervalstyle = " + style);
    run(client, "create table spans (id int primary key, span interval default " + some + ")");
    assertThat(run(client, "insert into spans select g from generate_series(1, 200) g"))
        .containsExactly("changed 200");
    assertThat(run(client, "alter table spans add column further interval default " + some))
        .containsExactly("changed 0");
    run(client, "commit");
    String text = "select md5(string_agg(s::text, ' ' order by id)), count(*) from spans s";
    Set<List<String>> copies = shards.stream().map(s -> run(s, text)).collect(Collectors.toSet());
    assertThat(copies).hasSize(1).first().asString().endsWith("|200]");
    run(client, "drop table spans");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update a set at = now()",
        "update a set v = (random() * 1000000)::int where id = 1",
        "update a set v = v + 1, at = clock_timestamp() where v > 2 returning id, v, doubled",
        "update a set id = id + 100, at = default where id < 5 returning id",
        "update a x set u = gen_random_uuid() where x.v = 2 returning x.id, 1 as one",
        "update a set u = default",
        "update a set who = current_user || n.x from n where n.x = a.v returning a.id",
        "update a set v = n.x, at = now() from n, folded where n.x = a.v and folded.k = n.x returning a.v",
        "update n set f = random()",
        "update n set f = random(), at = now() where x = 1 returning x",
        "update n set note = 'now ' || x, f = default where note is null",
        "update folded set at = current_date where k > 1 returning *",
        "update folded set k = k + 10, at = current_date returning k",
        "update a set v = 1 where ctid is not null returning id",
        "update a set v = 7 where at < now() and random() < 2 returning id, v",
        "update only a set at = now() where v = 1",
        "update a set (v, at) = (row_number, now()) from (select id, row_number() over (order by id) from a) r where r.id = a.id returning a.id, a.v",
        "update a set at = now() where v = 'x'",
        "update a set at = now() where nothing = 1",
        "delete from a where at <= now()",
        "delete from a where at <= now() and v > 1 returning id, v",
        "delete from n where at <= now() and x = 1",
        "delete from n where ctid in (select ctid from n where x = 1 limit 2) returning x",
        "delete from n using a where a.v = n.x and a.at <= now() returning n.x",
        "delete from folded where at <= current_date"
      })
  void changesAsOneServer(String sql) {
    for (Connection each : List.of(client, plain)) {
      run(each, "insert into a (v) select g from generate_series(1, 6) g");
      run(
          each,
          "insert into n (x, f) values (1, 0.5), (1, 0.5), (1, 0.5), (2, 0.1), (2, null), (3, 3)");
      run(each, "insert into n (x) values (1), (1)");
      run(each, "insert into folded (k) values (1), (2), (3)");
      run(each, "insert into folded (name, at) values (null, null), (null, null)");
      run(each, "insert into child (a) values (1), (4), (4), (null)");
    }
    assertSame(sql);
    assertSame(sql);
  }

  /** Only an INSERT may give such a column a value, so the other shards cannot have the first's. */
  @Test
  void aNumberThatIsAlwaysGeneratedIsNotDrawnAnew() {
    for (Connection each : List.of(client, plain)) {
      assertThat(run(each, "insert into child (a) values (null), (null)")).hasSize(1);
      assertThat(run(each, "insert into owner values ('o')")).hasSize(1);
    }
    assertSame("update child set id = 5");
    assertSame("update child set made = clock_timestamp() returning a");
    for (String sql :
        List.of(
            "update child set id = default",
            "alter table owner add id int generated always as identity")) {
      assertThat(run(client, sql)).as(sql).containsExactly("0A000");
      assertCopiesEqual(sql);
    }
    // The refused one has drawn numbers, as one that is rolled back.
    List.of("begin", "update child set id = default", "rollback").forEach(sql -> run(plain, sql));
  }

  private static final List<String> RANDOM =
      List.of(
          "insert into a (v) values (?) returning id, v, doubled",
          "insert into a (v, at) select x, now() from n where x > ? order by x returning id, v",
          "insert into a (id, v) values (?, 5) on conflict (id) do update set v = a.v + 1, at = clock_timestamp() returning id, v, doubled",
          "insert into a (v, u) values (?, gen_random_uuid()), (7, default)",
          "insert into n (x) values (?), (2), (2) returning x",
          "insert into n (x, note) select g, 'note' from generate_series(1, ?) g",
          "insert into folded (k) values (?), (1) on conflict (name, k) do nothing returning k",
          "insert into child (a) select id from a where v > ? order by id returning id, a",
          "insert into owner select current_user || ?::int on conflict do nothing returning name",
          "update a set v = v + 1, f = random() where v < ? returning id, v",
          "update a set id = id + 1000, at = now() where id = ?",
          "update a set who = current_user || x from n where x = v and v > ? returning a.id, who",
          "update n set f = random(), x = x + 1 where x = ? returning x",
          "update folded set at = current_date, k = k + 100 where k = ? returning k",
          "update folded set at = current_date where name = 'none' and k > ? returning *",
          "delete from a where at <= clock_timestamp() and v = ? returning id, v",
          "delete from n where ctid in (select ctid from n where x < ? and f is not null order by x limit 3) returning x",
          "delete from child where made <= now() and id > ? returning id");

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended", "extendedForPrepared"})
  void copiesAreEqualAfterRandomWrites(String queryMode) throws SQLException {
    long seed = Long.getLong("shardmark.seed", System.nanoTime());
    Random random = new Random(seed);
    int changes = 0;
    try (Connection own = proxy.connect("preferQueryMode=" + queryMode, "prepareThreshold=2")) {
      for (int i = 0; i < 80; i++) {
        String sql =
            switch (random.nextInt(12)) {
              case 0 -> "begin";
              case 1 -> "commit";
              case 2 -> "rollback";
              case 3 -> "savepoint s";
              case 4 -> "rollback to s";
              default -> RANDOM.get(random.nextInt(RANDOM.size()));
            };
        Object[] parameters = sql.contains("?") ? new Object[] {random.nextInt(8)} : new Object[0];
        List<String> expected = run(plain, sql, parameters).stream().sorted().toList();
        assertThat(run(own, sql, parameters).stream().sorted().toList())
            .as("seed %d, statement %d: %s %s", seed, i, sql, List.of(parameters))
            .isEqualTo(expected);
        changes += expected.equals(List.of("changed 0")) ? 0 : 1;
      }
      run(own, "commit");
      run(plain, "commit");
    }
    assertCopiesEqual("seed " + seed);
    assertThat(changes).isPositive();
  }

  @Test
  void severalClientsWriteAtOnce() throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<SQLException> failures = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 4; i++) {
      long seed = i;
      Thread thread =
          new Thread(
              () -> {
                Random random = new Random(seed);
                try (Connection own = proxy.connect()) {
                  for (int j = 0; j < 40; j++) {
                    String sql = RANDOM.get(random.nextInt(RANDOM.size()));
                    var unused = run(own, sql, random.nextInt(4));
                  }
                } catch (SQLException e) {
                  failures.add(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertCopiesEqual("writes of several clients");
    for (String sequence : List.of("a_id_seq", "child_id_seq")) {
      assertSame("alter sequence " + sequence + " restart with 1000000");
    }
  }

  @Test
  void rowsOfReturningAreFetchedInPortions() throws SQLException {
    client.setAutoCommit(false);
    try (Statement statement = client.createStatement()) {
      statement.setFetchSize(3);
      ResultSet result =
          statement.executeQuery(
              "insert into n (x) select g from generate_series(1, 10) g returning x");
      assertThat(rows(result)).hasSize(10);
    } finally {
      client.commit();
      client.setAutoCommit(true);
    }
    assertCopiesEqual("rows of RETURNING");
  }

  @Test
  void whatCannotBeHeldFails() {
    assertThat(
            run(
                client,
                "insert into n (x, note) select g, repeat('x', 10000) from generate_series(1, 200) g"))
        .containsExactly("53200");
    assertCopiesEqual("too many rows");
  }

  @Test
  void aTriggerThatMayDifferIsStillRefused() throws SQLException {
    proxy.makeOnShards(
        """
        create table watched (id int primary key, at timestamptz);
        create function touch() returns trigger language plpgsql as
        $$ begin new.at = clock_timestamp(); return new; end $$;
        create trigger touch before insert on watched for each row execute function touch();
        create function own() returns int language sql volatile as 'select 1';
        create table filled (id int default own(), v int)""");
    assertThat(run(client, "insert into watched values (1)")).containsExactly("0A000");
    assertThat(run(client, "insert into filled (v) values (1)")).containsExactly("0A000");
    assertThat(run(client, "insert into filled (id, v) values (1, (random() * 9)::int)"))
        .containsExactly("changed 1");
    // Called twice, it gives another row than the first shard's.
    proxy.makeOnShards(
        """
        create or replace function touch() returns trigger language plpgsql immutable as
        $$ begin new.id = new.id + 1; return new; end $$""");
    assertThat(run(client, "insert into watched values (1, now())")).containsExactly("0A000");
    assertThat(run(client, "select count(*) from watched")).containsExactly("0");
    proxy.makeOnShards("drop table watched, filled; drop function touch; drop function own");
  }

  /** Each server computes the new column of the rows that there are; the copies must not differ. */
  @Test
  void addedColumnsAreFilledAlike() throws SQLException {
    assertSame("create table added (k int primary key, v text)");
    assertSame("create table keyless (v int)");
    assertSame("insert into added select g, 'x' || g from generate_series(1, 5) g");
    run(client, "alter table added add at timestamptz not null default now(), add n serial");
    run(client, "alter table added add column if not exists u uuid default gen_random_uuid();");
    run(client, "alter table added alter v type int using (random() * 100000)::int");
    run(client, "alter table keyless add id serial primary key");
    assertThat(copies("select a::text from added a order by 1")).hasSize(1);
    assertThat(run(client, "select count(distinct n), count(distinct u) from added"))
        .containsExactly("5|5");
    assertThat(run(client, "insert into keyless values (1), (2) returning id")).hasSize(2);
    assertThat(run(client, "alter table keyless add at timestamptz default clock_timestamp()"))
        .containsExactly("changed 0");
    assertThat(copies("select k::text from keyless k order by 1")).hasSize(1);
    assertThat(run(client, "alter table keyless drop id")).containsExactly("changed 0");
    assertThat(run(client, "alter table keyless add u uuid default gen_random_uuid()"))
        .containsExactly("0A000");
    assertThat(copies("select k::text from keyless k order by 1")).hasSize(1);
    run(client, "drop table added, keyless");
    run(plain, "drop table added, keyless");
  }

  /** What the shards answer, each answer once. */
  private static Set<List<String>> copies(String sql) {
    return shards.stream().map(shard -> run(shard, sql)).collect(Collectors.toSet());
  }

  private static long copy(Connection connection, String sql, String data) throws Exception {
    return connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql, new StringReader(data));
  }

  @Test
  void copyLeavesOutWhatOneServerComputes() throws Exception {
    for (Connection each : List.of(client, plain)) {
      each.setAutoCommit(false);
      run(each, "insert into a (v) values (1), (2)");
      run(each, "savepoint s");
      run(each, "update a set v = 5 where v = 2");
      assertThat(copy(each, "copy a (v, tags) from stdin", "7\t{x}\n8\t\\N\n")).isEqualTo(2);
      assertThat(copy(each, "copy a (v, mark) from stdin csv", "")).isEqualTo(0);
      run(each, "release savepoint s");
      assertThat(copy(each, "copy a (v, mark) from stdin csv header", "v,mark\n9,\"q,\"\n"))
          .isEqualTo(1);
      each.commit();
      each.setAutoCommit(true);
      assertThat(copy(each, "copy n (x) from stdin", "1\n1\n")).isEqualTo(2);
      assertThatThrownBy(() -> copy(each, "copy child (a) from stdin", "1\n2\n99999\n"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23503"));
    }
    assertSame("select id, v, doubled, mark, tags from a order by id");
    assertSame("select x from n");
  }
}
