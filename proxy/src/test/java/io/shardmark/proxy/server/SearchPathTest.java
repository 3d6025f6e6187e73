package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One name in several schemas: rows are of the table that PostgreSQL would take, however the path
 * came about. In {@code public} the table is on all shards, in the others it is spread.
 */
final class SearchPathTest {
  private static final String COUNT = "select count(*) || ' ' || min(s) from t";
  private static final int ROWS = 4;

  @AutoClose private static RunningProxy proxy;

  private WireClient client;

  @BeforeAll
  static void start() throws IOException, SQLException {
    proxy = RunningProxy.start(2);
    proxy.makeOnShards(
        "do $$ begin if not exists (select from pg_roles where rolname = 'path_role') then"
            + " create role path_role; grant path_role to current_user with set true; end if;"
            + " end $$");
    try (WireClient maker = proxy.login()) {
      make(maker, "create table public.t (id int primary key, s text)");
      make(maker, "insert into public.t values (1, 'public')");
      for (String schema : List.of("postgres", "path_role", "another")) {
        make(maker, "create schema " + schema);
        make(maker, "grant usage on schema " + schema + " to public");
        spreadTable(maker, schema);
      }
    }
  }

  private static void spreadTable(WireClient maker, String schema) throws IOException {
    String table = schema + ".t";
    make(maker, "create table " + table + " (id int primary key, s text) partition by hash (id)");
    for (int part = 0; part < 2; part++) {
      make(
          maker,
          "create table %s%d partition of %s for values with (modulus 2, remainder %d)"
                  .formatted(table, part, table, part)
              + " with (shard = %d)".formatted(part + 1));
    }
    for (int id = 1; id <= ROWS; id++) {
      make(maker, "insert into %s values (%d, '%s')".formatted(table, id, schema));
    }
    make(maker, "grant select on " + table + " to public");
  }

  private static void make(WireClient maker, String sql) throws IOException {
    assertThat(maker.query(sql)).as(sql).isEmpty();
  }

  @BeforeEach
  void connect() throws IOException {
    client = proxy.login();
  }

  @AfterEach
  void leave() throws IOException, SQLException {
    client.close();
    alterRole("reset search_path");
  }

  /** In these databases only, which other tests do not use. */
  private static void alterRole(String change) throws SQLException {
    proxy.makeOnShards(
        "do $$ begin execute format('alter role postgres in database %I "
            + change
            + "', current_database()); end $$");
  }

  private static String rowsOf(String schema) {
    return (schema.equals("public") ? 1 : ROWS) + " " + schema;
  }

  private String counted(WireClient asked) throws IOException {
    return asked.query(COUNT);
  }

  @Test
  void theUsersOwnSchemaComesFirst() throws IOException {
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
  }

  @Test
  void localPathsEndWithTheTransactionAndWithTheirSavepoint() throws IOException {
    client.query("begin");
    client.query("savepoint s");
    client.query("set local search_path to another");
    assertThat(counted(client)).isEqualTo(rowsOf("another"));
    client.query("rollback to s");
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
    client.query("set local search_path = public");
    assertThat(counted(client)).isEqualTo(rowsOf("public"));
    client.query("set local search_path to default");
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
    client.query("commit");
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
  }

  @Test
  void otherWordsForThePath() throws IOException {
    client.query("set schema 'another'");
    assertThat(counted(client)).isEqualTo(rowsOf("another"));
    client.query("select set_config('search_path', 'public, another', false)");
    assertThat(counted(client)).isEqualTo(rowsOf("public"));
    client.query("reset search_path");
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
  }

  @Test
  void theRolesSchemaIsThatOfTheRoleOfNow() throws IOException {
    client.query("set role path_role");
    assertThat(counted(client)).isEqualTo(rowsOf("path_role"));
    client.query("reset role");
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
    client.query("begin");
    client.query("set local role path_role");
    assertThat(counted(client)).isEqualTo(rowsOf("path_role"));
    client.query("rollback");
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
  }

  @Test
  void aRolesSettingsCountFromItsNextLoginOnOldConnectionsToo() throws IOException, SQLException {
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
    alterRole("set search_path = another, public");
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
    try (WireClient after = proxy.login()) {
      assertThat(counted(after)).isEqualTo(rowsOf("another"));
      after.query("set search_path = public");
      assertThat(counted(after)).isEqualTo(rowsOf("public"));
      after.query("reset search_path");
      assertThat(counted(after)).isEqualTo(rowsOf("another"));
    }
    assertThat(counted(client)).isEqualTo(rowsOf("postgres"));
  }

  @Test
  void aNewTableIsMadeInTheFirstSchemaThatIsThere() throws IOException {
    client.query("create table made (id int primary key)");
    assertThat(client.query("select count(*) from postgres.made")).isEqualTo("0");
    client.query("drop table made");
  }

  /** By the types of its arguments a call may be of a function that PostgreSQL does not know. */
  @Test
  void aFunctionWithTheNameOfOneOfPostgresCountsAsTheWorseOne() throws IOException, SQLException {
    String function =
        "create or replace function another.abs(text) returns int language sql %s as 'select 1'";
    proxy.makeOnShards(function.formatted("volatile"));
    String insert = "insert into public.t values (2, abs('x'::text))";
    String merged = "select abs(id) from another.t order by 1";
    assertThat(client.query(merged)).isEqualTo("4");
    client.query("set search_path = public, another");
    assertThat(client.query(insert)).isEqualTo("0A000");
    assertThat(client.query(merged)).isEqualTo("0A000");
    assertThat(client.query("select pg_catalog.abs(id) from another.t order by 1")).isEqualTo("4");
    proxy.makeOnShards(function.formatted("stable"));
    assertThat(client.query(insert)).as("computed by one server").isEmpty();
    assertThat(client.query("delete from public.t where id = 2")).isEmpty();
    assertThat(client.query(merged)).isEqualTo("4");
    proxy.makeOnShards(function.formatted("immutable"));
    assertThat(client.query(insert)).isEmpty();
    assertThat(client.query("delete from public.t where id = 2")).isEmpty();
    proxy.makeOnShards("drop function another.abs(text)");
  }
}
