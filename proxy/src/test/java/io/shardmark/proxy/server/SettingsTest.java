package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients have set, where clients share one connection to each of several shards. */
final class SettingsTest {
  private static final String ON_ALL_SHARDS = "select count(*) from spread";

  @AutoClose private static RunningProxy proxy;

  private WireClient client;
  private WireClient other;

  @BeforeAll
  static void start() throws IOException, SQLException {
    proxy = RunningProxy.start(3, "pool_size: 1");
    proxy.makeOnShards(
        "create schema w1; create table rt (t text); create table w1.rt (t text);"
            + " create table at (id int primary key, t timestamptz);"
            + " insert into rt values ('public'); insert into w1.rt values ('w1');"
            + " create procedure set_all() language plpgsql as $$ begin set search_path = w1;"
            + " set role settings_role; set my.own = 'mine'; end $$;"
            + " create function set_by_function() returns text language sql as"
            + " 'select set_config(''search_path'', ''w1'', false)"
            + " || set_config(''role'', ''settings_role'', false)"
            + " || set_config(''my.own'', ''mine'', false)';"
            + " create view setting as select set_by_function();"
            + " create function set_by_trigger() returns trigger language plpgsql as $$ begin"
            + " perform set_by_function(); return null; end $$;"
            + " create table marked (id int) partition by hash (id);"
            + " create trigger marked after insert or delete on marked for each row"
            + " execute function set_by_trigger();"
            + " create table marked_$shard partition of marked"
            + " for values with (modulus 3, remainder $shard);"
            + " grant usage on schema w1 to public; grant select on rt, w1.rt to public;"
            + " do $$ begin"
            + " if not exists (select from pg_roles where rolname = 'settings_role') then"
            + " create role settings_role; grant settings_role to current_user with set true;"
            + " end if; end $$");
    try (WireClient maker = proxy.login()) {
      make(maker, "create table spread (id int primary key) partition by hash (id)");
      for (int part = 0; part < 3; part++) {
        make(
            maker,
            "create table spread%d partition of spread for values with (modulus 3, remainder %d)"
                    .formatted(part, part)
                + " with (shard = %d)".formatted(part + 1));
      }
    }
  }

  private static void make(WireClient maker, String sql) throws IOException {
    assertThat(maker.query(sql)).as(sql).isEmpty();
  }

  @BeforeEach
  void connect() throws IOException {
    client = proxy.login();
    other = proxy.login();
  }

  @AfterEach
  void leave() throws IOException {
    client.close();
    other.close();
  }

  /** The end is a ROLLBACK, an error and its ROLLBACK, or a COMMIT that rolls back. */
  private static void undone(WireClient asked, String set, String end) throws IOException {
    asked.query("begin");
    assertThat(asked.query(ON_ALL_SHARDS)).isEqualTo("0");
    assertThat(asked.query(set)).isEmpty();
    if (end.startsWith("error")) {
      assertThat(asked.query("select 1/0")).isEqualTo("22012");
    }
    assertThat(asked.query(end.replace("error, ", ""))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rollback", "error, rollback", "error, commit"})
  void aPathThatWasRolledBackIsSetAgain(String end) throws IOException {
    undone(client, "set search_path = w1", end);
    assertThat(client.query("select t from rt")).isEqualTo("public");
    client.query("set search_path = w1");
    for (int i = 0; i < 4; i++) { // the shards in turn
      assertThat(client.query("select t from rt")).isEqualTo("w1");
    }
    assertThat(client.query("begin")).isEmpty();
    assertThat(client.query("update rt set t = 'changed'")).isEmpty();
    assertThat(client.query("select t from w1.rt")).isEqualTo("changed");
    assertThat(client.query("select t from public.rt")).isEqualTo("public");
    assertThat(client.query("rollback")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rollback", "error, rollback", "error, commit"})
  void whatOneClientRolledBackIsSetByAnother(String end) throws IOException {
    undone(client, "set search_path = w1", end);
    other.query("set search_path = w1");
    for (int i = 0; i < 4; i++) {
      assertThat(other.query("select t from rt")).isEqualTo("w1");
      assertThat(client.query("select t from rt")).isEqualTo("public");
    }
  }

  @Test
  void aRoleThatWasRolledBackIsSetAgain() throws IOException {
    undone(client, "set role settings_role", "rollback");
    other.query("set role settings_role");
    for (int i = 0; i < 4; i++) {
      assertThat(other.query("select current_user")).isEqualTo("settings_role");
      assertThat(client.query("select current_user")).isEqualTo("postgres");
    }
  }

  /** Through one connection, which both use in turn. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "do $$ begin set search_path = w1; set role settings_role; set my.own = 'mine'; end $$",
        "call public.set_all()",
        "select public.set_by_function()",
        "explain (analyze, costs off) select public.set_by_function()",
      })
  void whatIsSetUnseenEndsWithItsTransaction(String sets) throws IOException {
    String here = "/* shardmark_shard: s0 */ ";
    String seen =
        here
            + "select t || ' ' || current_user || ' ' || coalesce(current_setting('my.own', true),"
            + " 'NULL') from rt";
    assertThat(client.query("begin")).isEmpty();
    client.query(here + sets);
    assertThat(client.query(seen)).isEqualTo("w1 settings_role mine");
    assertThat(client.query("rollback")).isEmpty();
    assertThat(other.query(seen)).isEqualTo("public postgres NULL");
    client.query(here + sets);
    assertThat(other.query(seen)).isEqualTo("public postgres NULL");
    client.send(
        out -> {
          execute(out, here + sets);
          FrontendMessages.sync(out);
        });
    client.untilReady();
    assertThat(other.query(seen)).isEqualTo("public postgres NULL");
  }

  /** Where no function is called by name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into marked values (1)",
        "insert into marked select g from generate_series(1, 9) g where g = 1",
        "insert into marked values (1), (2), (3), (4), (5), (6), (7), (8), (9)",
        "insert into marked values (1); delete from marked",
        "copy marked from stdin",
        "select * from setting",
        "copy (select public.set_by_function()) to stdout",
        "copy (select * from public.setting) to stdout",
      })
  void whatIsSetByTriggersViewsAndCopyEndsWithItsTransaction(String sets) throws IOException {
    for (int shard = 0; shard < 3; shard++) {
      String here = "/* shardmark_shard: s" + shard + " */ ";
      String sent = sets.contains("marked") ? sets : here + sets;
      client.sendQuery(sent);
      if (sets.endsWith("stdin")) {
        client.send(out -> out.writeBytes(copyData()));
      }
      client.untilReady();
      for (int at = 0; at < 3; at++) {
        assertThat(
                other.query(
                    "/* shardmark_shard: s%d */ select t || ' ' || current_user || ' ' ||"
                            .formatted(at)
                        + " coalesce(current_setting('my.own', true), 'NULL') from rt"))
            .as("%s, then on shard %d", sent, at)
            .isEqualTo("public postgres NULL");
      }
    }
  }

  private static byte[] copyData() {
    byte[] rows = "1\n2\n3\n4\n5\n6\n7\n8\n9\n".getBytes(StandardCharsets.US_ASCII);
    ByteBuf out = Unpooled.buffer();
    FrontendMessages.copyDataHeader(out, rows.length);
    out.writeBytes(rows);
    FrontendMessages.copyDone(out);
    return Arrays.copyOf(out.array(), out.writerIndex());
  }

  /**
   * What a name or a value that is no constant sets is on one connection, which the client keeps.
   */
  @Test
  void whatACallOfSetConfigSetsIsTheClientsAlone() throws IOException {
    String here = "/* shardmark_shard: s0 */ ";
    client.send(
        out -> {
          execute(out, here + "select set_config('search_' || 'path', 'w1', false)");
          FrontendMessages.sync(out);
        });
    assertThat(WireClient.errors(client.untilReady())).isEmpty();
    assertThat(client.query(here + "select t from rt")).isEqualTo("w1");
    client.query("begin");
    client.query("rollback");
    assertThat(client.query(here + "select t from rt")).isEqualTo("w1");
    client.close();

    assertThat(other.query(here + "select t from rt")).isEqualTo("public");
    String local = "select set_config('search_path', 'w' || 1, true)";
    assertThat(other.query(here + local)).isEqualTo("w1");
    try (WireClient third = proxy.login()) {
      assertThat(third.query(here + "select t from rt")).as("nothing is kept").isEqualTo("public");
    }
  }

  /** Whatever server has set it, and whichever one fails. */
  @ParameterizedTest
  @ValueSource(strings = {"select t from nosuch", "select 1/0", "select 1/0 from spread"})
  void theClientIsToldThatAnErrorHasUndoneWhatItSet(String fails) throws IOException {
    client.query("set datestyle = German, DMY");
    for (int i = 0; i < 6; i++) {
      client.query("select set_config('datestyle', 'SQL', true); " + fails);
      assertThat(client.parameter("DateStyle")).isEqualTo("German, DMY");
      client.query("select set_config('datestyle', 'SQL', true);" + ON_ALL_SHARDS + ";" + fails);
      assertThat(client.parameter("DateStyle")).isEqualTo("German, DMY");
    }
  }

  @Test
  void aReadOnlyDefaultThatWasRolledBackIsSetAgain() throws IOException {
    undone(client, "set default_transaction_read_only = on", "rollback");
    other.query("set default_transaction_read_only = on");
    for (int i = 0; i < 4; i++) {
      assertThat(other.query("delete from spread where id = " + i)).isEqualTo("25006");
      assertThat(client.query("delete from spread where id = " + i)).isEmpty();
    }
  }

  @Test
  void aTimeZoneThatWasRolledBackIsSetAgain() throws IOException {
    undone(client, "set timezone = 'Asia/Tokyo'", "rollback");
    other.query("set timezone = 'Asia/Tokyo'");
    assertThat(other.query("insert into at values (1, '2020-01-01 12:00')")).isEmpty();
    for (int i = 0; i < 4; i++) {
      assertThat(other.query("select t at time zone 'UTC' from at"))
          .isEqualTo("2020-01-01 03:00:00");
    }
    assertThat(other.query("delete from at")).isEmpty();
  }

  @Test
  void aSavepointUndoesWhatShardsThatCameLaterWereTold() throws IOException {
    client.query("begin");
    client.query("delete from spread where id = 1");
    client.query("savepoint a");
    client.query("set search_path = w1");
    client.query("set local timezone = 'Asia/Tokyo'");
    assertThat(client.query(ON_ALL_SHARDS.replace("spread", "public.spread"))).isEqualTo("0");
    client.query("rollback to a");
    for (int id = 0; id < 6; id++) {
      assertThat(client.query("select count(*) from spread where id = " + id)).isEqualTo("0");
    }
    assertThat(client.query("update rt set t = t")).isEmpty();
    assertThat(client.query("select t from rt")).isEqualTo("public");
    client.query("set search_path = w1");
    client.query("savepoint \"A b\"");
    assertThat(client.query("commit")).isEmpty();
    for (int i = 0; i < 4; i++) {
      assertThat(client.query("select t from rt")).isEqualTo("w1");
      assertThat(other.query("select t from rt")).isEqualTo("public");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set session transaction isolation level serializable",
        "set local transaction isolation level serializable",
        "set transaction_isolation = 'serializable'",
        "set transaction_read_only = on",
        "set session transaction_deferrable to on"
      })
  void whatATransactionIsGivenEndsWithIt(String set) throws IOException {
    client.query("begin");
    assertThat(client.query(set)).isEmpty();
    assertThat(client.query("select 1")).isEqualTo("1");
    assertThat(client.query("commit")).isEmpty();
    for (int i = 0; i < 4; i++) {
      assertThat(other.query("insert into spread values (7)")).isEmpty();
      assertThat(client.query("delete from spread where id = 7")).isEmpty();
      assertThat(client.query("show transaction_isolation")).isEqualTo("read committed");
    }
  }

  @Test
  void aPipelineThatFailsUndoesItsSet() throws IOException {
    for (String before : new String[] {"", "insert into rt values ('before')"}) {
      client.send(
          out -> {
            if (!before.isEmpty()) {
              execute(out, before);
            }
            execute(out, "set timezone = 'Asia/Tokyo'");
            execute(out, "select 1/0");
            FrontendMessages.sync(out);
          });
      assertThat(WireClient.errors(client.untilReady())).containsExactly("22012");
      assertThat(client.query("show timezone")).isNotEqualTo("Asia/Tokyo");
      assertThat(client.parameter("TimeZone")).isNotEqualTo("Asia/Tokyo");
      assertThat(client.query("select count(*) from rt")).isEqualTo("1");
    }
    client.send(
        out -> {
          execute(out, "set timezone = 'Asia/Tokyo'");
          FrontendMessages.sync(out);
        });
    assertThat(WireClient.errors(client.untilReady())).isEmpty();
    assertThat(client.query("show timezone")).isEqualTo("Asia/Tokyo");
    assertThat(other.query("show timezone")).isNotEqualTo("Asia/Tokyo");
  }

  @Test
  void literalsOfAPreparedStatementAreReadByTheClientsOwnSettings() throws IOException {
    String sql = "select '2020-01-01 12:00'::timestamptz at time zone 'UTC' from rt";
    other.query("set timezone = 'Asia/Tokyo'");
    for (int i = 0; i < 6; i++) { // each of the shards prepares it for both
      for (WireClient each : java.util.List.of(client, other)) {
        each.send(
            out -> {
              execute(out, sql);
              FrontendMessages.sync(out);
            });
        assertThat(each.answer())
            .isEqualTo(each == other ? "2020-01-01 03:00:00" : "2020-01-01 12:00:00");
      }
    }
  }

  @Test
  void startupParametersAreReportedAsPostgresReportsThem() throws IOException, SQLException {
    String plain = RunningProxy.newPlainDatabase();
    for (Map<String, String> given :
        java.util.List.of(
            Map.of("client_encoding", "utf_8"),
            Map.of("client_encoding", "'unicode'"),
            Map.of("datestyle", "german"),
            Map.of("DateStyle", "ISO", "TimeZone", "asia/tokyo"),
            Map.of("application_name", "caf\u00e9"),
            Map.of("options", "-c timezone=-3 -c intervalstyle=ISO_8601"),
            Map.<String, String>of())) {
      try (WireClient direct = WireClient.loginToServer(RunningProxy.serverPort(), plain, given);
          WireClient own = WireClient.open(proxy.port()).startup(ProtocolVersion.V3_0, given)) {
        Map<String, String> ours = new HashMap<>(own.parameters());
        assertThat(ours).as("%s", given).isEqualTo(direct.parameters());
        for (String name : new String[] {"application_name", "client_encoding", "datestyle"}) {
          assertThat(own.query("show " + name)).isEqualTo(direct.query("show " + name));
        }
      }
    }
  }

  @Test
  void aStartupParameterThatNoServerTakesEndsTheLogin() throws IOException {
    try (WireClient own = WireClient.open(proxy.port())) {
      own.send(
          out ->
              FrontendMessages.startup(
                  out,
                  ProtocolVersion.V3_0,
                  Map.of("user", "postgres", "database", "test", "TimeZone", "Nowhere/At")));
      assertThat(WireClient.errors(own.until('E'))).containsExactly("22023");
    }
  }

  /** Parse, Bind and Execute. */
  static void execute(ByteBuf out, String sql) {
    byte[] text = sql.getBytes(StandardCharsets.UTF_8);
    out.writeByte('P').writeInt(4 + 1 + text.length + 1 + 2).writeByte(0);
    out.writeBytes(text).writeByte(0).writeShort(0);
    out.writeByte('B').writeInt(4 + 2 + 6).writeByte(0).writeByte(0);
    out.writeShort(0).writeShort(0).writeShort(0);
    FrontendMessages.execute(out, "", 0);
  }
}
