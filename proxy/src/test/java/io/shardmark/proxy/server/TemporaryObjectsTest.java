package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is temporary is its client's own, however the statement says so. */
final class TemporaryObjectsTest {
  @AutoClose private static RunningProxy proxy;

  /** The server connection that was given back last is given out next. */
  @BeforeAll
  static void start() {
    proxy = RunningProxy.start(1, "pool_size: 2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create table pg_temp.x as select 1 as v",
        "create temp table x as select 1 as v",
        "create table pg_temp.x(v int); insert into pg_temp.x values (1)",
        "create table \"pg_temp\".x(v int); insert into x values (1)",
        "select 1 as v into pg_temp.x",
        "select 1 as v into temp x",
        "select 1 as v into temporary table x",
        "with one as (select 1 as v) select v into local temp x from one",
        "create view pg_temp.x as select 1 as v",
        "create or replace temp view x as select 1 as v",
        "create temp sequence x; select nextval('x')",
        "create sequence pg_temp.x; select nextval('x')",
        "create function pg_temp.made() returns int language sql as 'select 1';"
            + " create view pg_temp.x as select pg_temp.made() as v",
        "set search_path = pg_temp, public; create table x as select 1 as v",
        "set search_path = missing, pg_temp, public; create view x as select 1 as v",
        "set search_path = pg_temp; select 1 as v into x",
        "do $$ begin create temp table x as select 1 as v; end $$"
      })
  void nobodyElseSees(String statements) throws IOException {
    try (WireClient maker = proxy.login();
        WireClient other = proxy.login()) {
      for (String statement : statements.split("; (?!end)", -1)) {
        maker.query(statement);
      }
      assertThat(other.query("select count(*) from x")).isEqualTo("42P01");
      assertThat(maker.query("select count(*) from x")).isEqualTo("1");
    }
    try (WireClient next = proxy.login()) {
      assertThat(next.query("select count(*) from x")).isEqualTo("42P01");
    }
  }

  @Test
  void aPathThatEndsWithThemMakesNothingTemporary() throws IOException {
    try (WireClient maker = proxy.login();
        WireClient other = proxy.login()) {
      maker.query("set search_path = public, pg_temp");
      assertThat(maker.query("create table lasting as select 1 as v")).isEmpty();
      assertThat(other.query("select count(*) from lasting")).isEqualTo("1");
      assertThat(other.query("drop table lasting")).isEmpty();
    }
  }
}
