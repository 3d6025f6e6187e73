package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two clients that take turns on one server connection: each has its own parameters. */
final class SessionParametersTest {
  @AutoClose private static RunningProxy proxy;

  private WireClient client;
  private WireClient other;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(1, "pool_size: 1");
    proxy.makeOnShards(
        "create table t (id int primary key); create schema s; create table s.u (id int);"
            + "insert into s.u values (7);"
            + "create function set_tenant() returns text language plpgsql as $$ begin"
            + " return set_config('app.tenant', 'one', true); end $$;"
            + "create function set_any(name text) returns text language plpgsql as $$ begin"
            + " return set_config('app.' || name, 'one', true); end $$;"
            + "create function body_tenant() returns text"
            + " return set_config('app.tenant', 'one', true);"
            + "do $$ begin"
            + " if not exists (select from pg_roles where rolname = 'param_a') then"
            + " create role param_a; create role param_b;"
            + " grant param_a, param_b to current_user with set true; end if; end $$");
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

  /**
   * A parameter that nobody has defined exists where it was set (PG18 §19.16
   * runtime-config-custom).
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "set app.tenant = 'one'",
        "set local app.tenant = 'one'",
        "begin; set local app.tenant = 'one'; commit",
        "begin; set app.tenant = 'one'; rollback",
        "select set_config('app.tenant', 'one', false)",
        "set app.tenant = 'one'; reset app.tenant",
        "set app.tenant = 'one'; reset all",
        "select set_config('app.tenant', 'one', true), set_config('work_mem', '5MB', true)",
        "select set_tenant()",
        "select set_any('tenant')",
        "select body_tenant()",
        "do $$ begin set local app.tenant = 'one'; end $$",
        "do $$ begin execute 'set ' || 'app.tenant = 1'; end $$",
        "begin; create function made() returns text language sql as"
            + " $$ select set_config('app.tenant', 'one', true) $$; select made(); rollback",
      })
  void aParameterOfOneClientDoesNotExistForTheNext(String sets) throws IOException {
    for (String sql : sets.split("; ", -1)) {
      client.query(sql);
    }
    assertThat(other.query("select current_setting('app.tenant', true) is null")).isEqualTo("t");
    assertThat(other.query("show app.tenant")).isEqualTo("42704");
    assertThat(other.query("set app.tenant = 'two'")).isEmpty();
    client.query("set app.tenant = 'three'");
    assertThat(other.query("show app.tenant")).isEqualTo("two");
    assertThat(client.query("show app.tenant")).isEqualTo("three");
  }

  @Test
  void clientsWhoseQueriesMakeTheSameParametersShareConnections() throws IOException {
    String makes = "select set_config('app.tenant', 'one', true), set_config('jit', 'off', true)";
    client.query(makes);
    other.query(makes);
    String process = other.query("select pg_backend_pid()");
    assertThat(client.query("select current_setting('app.tenant', true) is null")).isEqualTo("f");
    client.query(makes);
    assertThat(client.query("select pg_backend_pid()")).isEqualTo(process);
  }

  /** A server reports what has changed right before ReadyForQuery (PG18 §54.2.7 protocol-async). */
  @Test
  void aChangeIsReportedAfterItsStatement() throws IOException {
    client.sendQuery("set timezone = 'Asia/Tokyo'");
    assertThat(types()).isEqualTo("CSZ");
    client.sendQuery("select set_config('timezone', 'Asia/Seoul', false)");
    assertThat(types()).isEqualTo("TDCSZ");
    client.send(
        out -> {
          FrontendMessages.parse(out, "", "set timezone = 'Asia/Dili'");
          FrontendMessages.bind(out, "", "");
          FrontendMessages.execute(out, "", 0);
          FrontendMessages.sync(out);
        });
    assertThat(types()).isEqualTo("12CSZ");
  }

  /** Of the messages up to ReadyForQuery. */
  private String types() throws IOException {
    StringBuilder types = new StringBuilder();
    do {
      types.append(client.next().orElseThrow().type());
    } while (types.charAt(types.length() - 1) != 'Z');
    return types.toString();
  }

  @Test
  void clientsThatSetTheSameParametersShareConnections() throws IOException {
    client.query("set app.tenant = 'one'");
    String process = client.query("select pg_backend_pid()");
    other.query("set app.tenant = 'two'");
    assertThat(other.query("select pg_backend_pid()")).isEqualTo(process);
    assertThat(client.query("show app.tenant")).isEqualTo("one");
    assertThat(client.query("select pg_backend_pid()")).isEqualTo(process);
  }

  /** Asks the client, with the other one's use of the connection between. */
  private String show(String name) throws IOException {
    other.query("select 1");
    return client.query("show " + name);
  }

  @ParameterizedTest
  @CsvSource({
    "search_path, s",
    "timezone, Asia/Tokyo",
    "application_name, mine",
    "datestyle, 'SQL, DMY'",
    "default_transaction_isolation, serializable",
    "default_transaction_read_only, on",
    "statement_timeout, 12345ms",
    "work_mem, 3MB",
    "client_min_messages, warning",
    "extra_float_digits, 2"
  })
  void followTheClientUntilReset(String name, String value) throws IOException {
    String quoted =
        name.equals("search_path") || name.equals("datestyle") ? value : "'" + value + "'";
    String before = client.query("show " + name);
    assertThat(client.query("set " + name + " = " + quoted)).isEmpty();
    assertThat(show(name)).isEqualTo(value);
    assertThat(other.query("show " + name)).isEqualTo(before);
    assertThat(client.query("set local " + name + " = default")).isEmpty();
    assertThat(show(name)).isEqualTo(value);
    assertThat(client.query("reset " + name)).isEmpty();
    assertThat(show(name)).isEqualTo(before);
  }

  @Test
  void setLocalEndsWithItsTransaction() throws IOException {
    String before = show("work_mem");
    client.query("begin");
    client.query("set local work_mem = '5MB'");
    assertThat(client.query("show work_mem")).isEqualTo("5MB");
    client.query("commit");
    assertThat(show("work_mem")).isEqualTo(before);
  }

  @Test
  void aSetIsUndoneWithItsTransactionOrSavepoint() throws IOException {
    client.query("set work_mem = '4MB'");
    client.query("begin");
    client.query("set work_mem = '5MB'");
    client.query("savepoint a");
    client.query("set work_mem = '6MB'");
    client.query("rollback to a");
    assertThat(client.query("show work_mem")).isEqualTo("5MB");
    client.query("rollback");
    assertThat(show("work_mem")).isEqualTo("4MB");
  }

  @Test
  void whatTheStartupMessageSaidIsWhatResetGoesBackTo() throws IOException {
    Map<String, String> startup =
        Map.of("application_name", "first", "TimeZone", "Asia/Tokyo", "search_path", "s, public");
    try (WireClient own = WireClient.open(proxy.port()).startup(ProtocolVersion.V3_0, startup)) {
      assertThat(own.parameter("application_name")).isEqualTo("first");
      assertThat(own.query("select id from u")).isEqualTo("7");
      for (String reset :
          List.of(
              "reset application_name",
              "set application_name to default",
              "reset all",
              "discard all")) {
        own.query("set application_name = 'second'");
        own.query("set timezone = 'UTC'");
        assertThat(own.parameter("application_name")).isEqualTo("second");
        assertThat(own.query(reset)).as(reset).isEmpty();
        other.query("select 1");
        assertThat(own.query("show application_name")).as(reset).isEqualTo("first");
        assertThat(own.query("select id from u")).as(reset).isEqualTo("7");
      }
      assertThat(own.query("show timezone")).isEqualTo("Asia/Tokyo");
      assertThat(own.parameter("application_name")).isEqualTo("first");
    }
  }

  @Test
  void changedParametersAreReported() throws IOException {
    client.query("set timezone = 'Asia/Tokyo'");
    assertThat(client.parameter("TimeZone")).isEqualTo("Asia/Tokyo");
    client.query("begin");
    client.query("set timezone = 'Asia/Seoul'");
    assertThat(client.parameter("TimeZone")).isEqualTo("Asia/Seoul");
    client.query("rollback");
    assertThat(client.parameter("TimeZone")).isEqualTo("Asia/Tokyo");
    other.query("select 1");
    assertThat(other.parameter("TimeZone")).isNotEqualTo("Asia/Tokyo");
  }

  @Test
  void theRoleFollowsTheClient() throws IOException {
    assertThat(client.query("set role param_a")).isEmpty();
    assertThat(client.query("set work_mem = '7MB'")).isEmpty();
    assertThat(who()).isEqualTo("postgres param_a 7MB");
    assertThat(client.query("reset all")).isEmpty();
    assertThat(who()).startsWith("postgres param_a").doesNotEndWith("7MB");
    assertThat(client.query("set role param_b")).isEmpty();
    assertThat(who()).startsWith("postgres param_b");
    assertThat(client.query("discard all")).isEmpty();
    assertThat(who()).startsWith("postgres postgres");
    assertThat(other.query("select session_user || ' ' || current_user"))
        .isEqualTo("postgres postgres");
  }

  private String who() throws IOException {
    other.query("select 1");
    return client.query(
        "select session_user || ' ' || current_user || ' ' || current_setting('work_mem')");
  }

  @Test
  void aSetThatIsRefusedChangesNothing() throws IOException {
    client.query("set work_mem = '4MB'");
    assertThat(client.query("set work_mem = 'much'")).isEqualTo("22023");
    assertThat(client.query("set no_such_parameter = 1")).isEqualTo("42704");
    assertThat(show("work_mem")).isEqualTo("4MB");
  }
}
