package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What ALTER ROLE or ALTER DATABASE sets is a session's from its login on, as on one server: no
 * session's values depend on when its server connections were opened.
 */
final class StartValuesTest {
  @AutoClose private static RunningProxy proxy;

  private final List<WireClient> holders = new ArrayList<>();
  private WireClient client;

  @BeforeAll
  static void start() throws IOException, SQLException {
    proxy = RunningProxy.start(2);
    try (WireClient maker = proxy.login()) {
      make(maker, "create table public.t (id int primary key, f float8) partition by hash (id)");
      for (int part = 0; part < 2; part++) {
        make(
            maker,
            "create table t%d partition of t for values with (modulus 2, remainder %d)"
                    .formatted(part, part)
                + " with (shard = %d)".formatted(part + 1));
      }
      for (int id = 1; id <= 8; id++) {
        String f = id % 2 == 0 ? "0.3" : "0.1 + 0.2::float8";
        make(maker, "insert into t values (%d, %s)".formatted(id, f));
      }
      make(maker, "create schema other");
      make(maker, "create table other.t (id int primary key, f float8)");
      make(maker, "insert into other.t values (1, 1)");
    }
  }

  private static void make(WireClient maker, String sql) throws IOException {
    assertThat(maker.query(sql)).as(sql).isEmpty();
  }

  /** In these databases only, which other tests do not use. */
  private static void alterRole(String change) throws SQLException {
    proxy.makeOnShards(
        "set transaction_read_only = off; do $$ begin execute format('alter role postgres in database %I "
            + change
            + "', current_database()); end $$");
  }

  /** Whatever is asked next needs server connections that are not open yet. */
  private void holdAllServers() throws IOException {
    for (int i = 0; i < 5; i++) {
      WireClient holder = proxy.login();
      holders.add(holder);
      holder.query("begin");
      holder.query("select count(*) from public.t");
    }
  }

  @BeforeEach
  void connect() throws IOException {
    client = proxy.login();
  }

  @AfterEach
  void leave() throws IOException, SQLException {
    client.close();
    for (WireClient holder : holders) {
      holder.close();
    }
    alterRole("reset all");
  }

  @Test
  void aPathThatIsSetLaterIsThatOfLaterClientsOnly() throws IOException, SQLException {
    assertThat(client.query("select count(*) from t")).isEqualTo("8");
    alterRole("set search_path = other, public");
    holdAllServers();
    assertThat(client.query("select count(*) from t")).isEqualTo("8");
    assertThat(client.query("show search_path")).isEqualTo("\"$user\", public");
    try (WireClient after = proxy.login()) {
      assertThat(after.query("select count(*) from t")).isEqualTo("1");
      after.query("begin");
      after.query("set local search_path to public");
      assertThat(after.query("select count(*) from t")).isEqualTo("8");
      after.query("set local search_path to default");
      assertThat(after.query("select count(*) from t")).isEqualTo("1");
      after.query("commit");
      alterRole("reset all");
      assertThat(after.query("select count(*) from t")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "timezone, Asia/Tokyo",
    "datestyle, German",
    "intervalstyle, iso_8601",
    "default_transaction_read_only, on",
    "application_name, other",
    "client_encoding, UTF8",
    "bytea_output, escape"
  })
  void whatIsSetForTheRoleLaterChangesNoOpenSession(String name, String value)
      throws IOException, SQLException {
    String before = client.query("show " + name);
    alterRole("set " + name + " = \"" + value + "\"");
    holdAllServers();
    assertThat(client.query("select count(*) from public.t")).isEqualTo("8");
    for (int id = 1; id <= 8; id++) {
      String one = "select current_setting('%s') from public.t where id = %d";
      assertThat(client.query(one.formatted(name, id))).isEqualTo(before);
    }
    client.query("set " + name + " = default");
    assertThat(client.query("show " + name)).isEqualTo(before);
    try (WireClient after = proxy.login()) {
      assertThat(after.query("show " + name)).startsWith(value);
    }
  }

  @Test
  void floatsThatTheRoleHasRoundedAreNotMerged() throws IOException, SQLException {
    String groups = "select f, count(*) from t group by f order by 2, 1";
    assertThat(client.query(groups)).isEqualTo("0.30000000000000004");
    alterRole("set extra_float_digits = 0");
    holdAllServers();
    assertThat(client.query(groups)).isEqualTo("0.30000000000000004");
    try (WireClient after = proxy.login()) {
      assertThat(after.query("show extra_float_digits")).isEqualTo("0");
      assertThat(after.query(groups)).isEqualTo("0A000");
      assertThat(after.query("set extra_float_digits = 1")).isEmpty();
      assertThat(after.query(groups)).isEqualTo("0.30000000000000004");
      assertThat(after.query("reset extra_float_digits")).isEmpty();
      assertThat(after.query(groups)).isEqualTo("0A000");
    }
  }

  @Test
  void floatsThatATransactionHasRoundedAreNotMerged() throws IOException {
    String groups = "select f, count(*) from t group by f order by 2, 1";
    client.query("begin");
    client.query("savepoint a");
    client.query("set local extra_float_digits = 0");
    assertThat(client.query(groups)).isEqualTo("0A000");
    client.query("rollback to a");
    assertThat(client.query(groups)).isEqualTo("0.30000000000000004");
    client.query("select set_config('extra_float_digits', '-1', true)");
    client.query("savepoint b");
    assertThat(client.query(groups)).isEqualTo("0A000");
    client.query("rollback to b");
    client.query("set local extra_float_digits = 2");
    assertThat(client.query(groups)).isEqualTo("0.30000000000000004");
    client.query("set extra_float_digits = 0");
    client.query("savepoint c");
    assertThat(client.query(groups)).isEqualTo("0A000");
    client.query("rollback to c");
    client.query("reset extra_float_digits");
    assertThat(client.query(groups)).isEqualTo("0.30000000000000004");
    client.query("commit");
    assertThat(client.query(groups)).isEqualTo("0.30000000000000004");
  }

  @Test
  void anIsolationLevelOfTheRoleCountsAsTheClientsOwn() throws IOException, SQLException {
    alterRole("set default_transaction_isolation = serializable");
    try (WireClient after = proxy.login()) {
      after.query("begin");
      assertThat(after.query("select count(*) from t")).isEqualTo("0A000");
      after.query("rollback");
    }
  }

  /** The catalogs are not read by themselves here. */
  @ParameterizedTest
  @CsvSource({
    "database %s, German",
    "role postgres in database %s, ISO",
    "user postgres in database %s, SQL"
  })
  void aChangeThroughTheProxyIsThatOfTheNextClient(String whose, String value)
      throws IOException, SQLException {
    try (RunningProxy one = RunningProxy.start(1);
        WireClient changes = one.login()) {
      String alter =
          "alter " + whose.formatted(changes.query("select quote_ident(current_database())"));
      make(changes, alter + " set datestyle = " + value + ", YMD");
      assertThat(changes.query("show datestyle")).isEqualTo("ISO, MDY");
      try (WireClient after = one.login()) {
        assertThat(after.query("show datestyle")).isEqualTo(value + ", YMD");
      }
      make(changes, "begin");
      make(changes, alter + " reset datestyle");
      make(changes, "commit");
      try (WireClient after = one.login()) {
        assertThat(after.query("show datestyle")).isEqualTo("ISO, MDY");
      }
    }
  }
}
