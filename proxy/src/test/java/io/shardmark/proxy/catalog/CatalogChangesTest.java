package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.TwoShards;
import io.shardmark.proxy.shardmap.ShardMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read of changes only is what a first reading finds. */
final class CatalogChangesTest {
  private static final List<String> CHANGES =
      List.of(
          "create table t (k integer primary key, v text)",
          "alter table t add column w integer default 1",
          "alter table t alter column w set default 2",
          "alter table t alter column w drop default",
          "alter table t rename column w to x",
          "alter table t alter column x type bigint",
          "alter table t drop column x",
          "create function f() returns integer language sql immutable as 'select 1'",
          "alter table t add column y integer default f()",
          "create or replace function f() returns integer language sql volatile as 'select 1'",
          "alter function f() immutable",
          "create domain d as integer default 3",
          "create table u (k integer, d d)",
          "alter domain d set default f()",
          "create or replace function f() returns integer language sql stable as 'select 1'",
          "alter domain d rename to e",
          "create function g() returns trigger language plpgsql as 'begin return new; end'",
          "create trigger r before insert on t for each row execute function g()",
          "alter table t disable trigger r",
          "alter table t enable trigger r",
          "create or replace function g() returns trigger language plpgsql as"
              + " 'begin set work_mem = 100; return new; end'",
          "drop trigger r on t",
          "create rule n as on delete to u do instead nothing",
          "drop rule n on u",
          "create view w as select k from t",
          "create or replace view w as select k from u",
          "alter view w rename to wv",
          "create index i on u (k)",
          "create sequence s",
          "create table p (k integer) partition by list (k)",
          "create table p1 partition of p for values in (1)",
          "create table p2 (k integer)",
          "alter table p attach partition p2 for values in (2)",
          "alter table p rename to q",
          "alter table q detach partition p1",
          "create schema a",
          "alter table u set schema a",
          "create function a.lower(integer) returns integer language sql as 'select 1'",
          "alter schema a rename to b",
          "drop function b.lower(integer)",
          "drop schema b cascade",
          "drop table t, q, p1 cascade",
          "drop function f() cascade",
          "drop sequence s");

  @TempDir private Path directory;

  @Test
  void changesGiveWhatAFirstReadingGives() throws SQLException, IOException {
    TwoShards shards = TwoShards.create();
    Path file = directory.resolve("proxy.yaml");
    Files.writeString(file, shards.yaml());
    ShardConnections connections = new ShardConnections(ProxyConfig.read(file));
    try (CatalogReader reader = new CatalogReader(connections, Clock.systemUTC());
        Connection first = shards.connect(0);
        Statement statement = first.createStatement()) {
      reader.read(Map.of());
      for (String change : CHANGES) {
        statement.execute(change);
        ShardMap changed = reader.read(Map.of()).map();
        ShardMap whole = readWhole(connections);

        assertThat(changed.tables()).as(change).isEqualTo(whole.tables());
        assertThat(changed.names()).as(change).isEqualTo(whole.names());
        assertThat(changed.sequences()).as(change).isEqualTo(whole.sequences());
        assertThat(changed.bare()).as(change).isEqualTo(whole.bare());
        assertThat(changed.schemas()).as(change).isEqualTo(whole.schemas());
      }
    }
  }

  private static ShardMap readWhole(ShardConnections connections) {
    try (CatalogReader reader = new CatalogReader(connections, Clock.systemUTC())) {
      return reader.read(Map.of()).map();
    }
  }
}
