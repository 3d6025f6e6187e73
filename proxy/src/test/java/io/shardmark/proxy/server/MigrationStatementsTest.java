package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements of tools that migrate schemas, over three shards as by one server. */
final class MigrationStatementsTest {
  @AutoClose private static RunningProxy proxy;
  @AutoClose private static Connection client;
  @AutoClose private static Connection plain;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(3);
    client = proxy.connect();
    plain = RunningProxy.open(RunningProxy.plainDatabase());
  }

  private static List<String> run(
      Connection connection, String sql, @Nullable Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      List<String> rows = new ArrayList<>();
      if (statement.execute()) {
        ResultSet result = statement.getResultSet();
        while (result.next()) {
          rows.add(result.getString(1));
        }
      } else {
        rows.add("changed " + statement.getUpdateCount());
      }
      return rows;
    } catch (SQLException e) {
      return List.of(String.valueOf(e.getSQLState()));
    }
  }

  private static void assertSame(String sql, @Nullable Object... parameters) {
    assertThat(run(client, sql, parameters)).as(sql).isEqualTo(run(plain, sql, parameters));
  }

  @Test
  void flywaySetsTheSearchPathByAParameter() {
    assertSame("create schema tools");
    assertSame("select set_config('search_path', ?, false)", "tools, public");
    assertSame("show search_path");
    assertSame("create table here (id int)");
    assertSame("select table_schema from information_schema.tables where table_name = 'here'");
    assertSame("select set_config('search_path', ?, true)", "public");
    assertSame("show search_path");
    assertSame("select set_config('search_path', ?, false)", "\"$user\", public");
    assertSame("drop schema tools cascade");
  }

  @Test
  void setvalTakesParameters() {
    assertSame("create sequence counted");
    assertSame("select setval(?::regclass, ?)", "counted", 41L);
    assertThat(run(client, "select nextval('counted')")).containsAnyOf("42", "43", "44");
    assertSame("select setval('counted', ?, ?)", 77L, false);
    assertThat(run(client, "select nextval('counted')")).containsAnyOf("77", "78", "79");
    assertSame("select setval(?::regclass, 1 + ?)", "counted", 80L);
    assertSame("select setval(?::regclass, ?)", "counted", null);
    assertSame("select setval(?::regclass, ?)", null, 1L);
    assertSame("select setval(?::regclass, ?)", "missing", 1L);
    assertSame("select setval(?::regclass, ?)", "counted", 0L);
    assertSame("drop sequence counted");
    assertSame("create schema \"it's\"");
    assertSame("create sequence \"it's\".\"No 1\"");
    assertSame("select setval(?::regclass, ?)", "\"it's\".\"No 1\"", 41L);
    assertSame("drop schema \"it's\" cascade");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select pg_try_advisory_lock(77)",
        "select pg_advisory_unlock(77)",
        "select pg_advisory_lock(72707369)",
        "select pg_advisory_unlock(72707369)",
        "select pg_try_advisory_xact_lock(78)"
      })
  void advisoryLocksAreOneServers(String sql) {
    assertSame(sql);
  }

  @Test
  void railsKeepsVersionsAndTheEnvironment() {
    assertSame("create table schema_migrations (version character varying not null primary key)");
    assertSame(
        "create table ar_internal_metadata (key character varying not null primary key, value"
            + " character varying, created_at timestamp(6) not null, updated_at timestamp(6) not null)");
    assertSame("insert into schema_migrations (version) values (?) returning version", "1");
    assertSame(
        "insert into ar_internal_metadata (key, value, created_at, updated_at) values"
            + " ('environment', 'test', '2026-01-02 03:04:05.6', '2026-01-02 03:04:05.6')"
            + " returning key");
    assertSame(
        "insert into ar_internal_metadata (key, value, created_at, updated_at) values"
            + " ('schema_sha1', 'x', current_timestamp, current_timestamp) on conflict (key)"
            + " do update set updated_at = (case when (ar_internal_metadata.value is not distinct"
            + " from excluded.value) then ar_internal_metadata.updated_at else current_timestamp"
            + " end), value = excluded.value returning key");
    assertSame(
        "create table books (id bigserial primary key, title character varying, created_at"
            + " timestamp(6) not null)");
    assertSame("alter table books add isbn character varying default 'x' not null");
    assertSame("create unique index index_books on books (title)");
    assertSame(
        "insert into books (title, created_at) values (?, ?::timestamp) returning id",
        "a",
        "2026-01-02");
    assertSame("delete from schema_migrations where version = ?", "1");
    assertSame("drop table books, ar_internal_metadata, schema_migrations");
  }

  @Test
  void gooseCountsVersions() {
    assertSame(
        "create table goose_db_version (id integer primary key generated by default as identity,"
            + " version_id bigint not null, is_applied boolean not null, tstamp timestamp not null"
            + " default now())");
    assertSame("insert into goose_db_version (version_id, is_applied) values (?, ?)", 0L, true);
    assertSame("insert into goose_db_version (version_id, is_applied) values (?, ?)", 1L, true);
    assertSame("select version_id, is_applied from goose_db_version order by id desc");
    assertSame("select max(version_id) from goose_db_version");
    assertSame("delete from goose_db_version where version_id = ?", 1L);
    assertSame("drop table goose_db_version");
  }

  @Test
  void prismaRecordsItsStepsByTheClock() {
    assertSame(
        "create table _prisma_migrations (id varchar(36) primary key not null, checksum"
            + " varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,"
            + " logs text, rolled_back_at timestamptz, started_at timestamptz not null default"
            + " now(), applied_steps_count integer not null default 0)");
    assertSame(
        "insert into _prisma_migrations (id, checksum, started_at, migration_name)"
            + " values (?, 'c', now(), 'first')",
        "a");
    assertSame(
        "update _prisma_migrations set applied_steps_count = applied_steps_count + 1 where id = ?",
        "a");
    assertSame("update _prisma_migrations set finished_at = now() where id = ?", "a");
    assertSame("select count(*) from _prisma_migrations where finished_at >= started_at");
    assertSame("drop table _prisma_migrations");
  }
}
