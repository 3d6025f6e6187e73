package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.protocol.ProtocolVersion;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A role that is dropped and made again under its name is another role, with another oid: no server
 * connection of the old one serves a client of the new one. On one shard, since the roles of all
 * databases of a server are the same. The catalogs are not read by themselves here.
 */
final class RolesMadeAnewTest {
  private static final String ROLE = RunningProxy.OTHER_USER;
  private static final String MAKE = "create role " + ROLE + " login password '" + ROLE + "'";

  private RunningProxy proxy;
  private WireClient admin;

  @BeforeEach
  void start() throws IOException {
    proxy = RunningProxy.start(1);
    admin = proxy.login();
    make(MAKE);
  }

  @AfterEach
  void stop() throws IOException {
    make("drop role if exists " + ROLE);
    admin.close();
    proxy.close();
  }

  private void make(String sql) throws IOException {
    assertThat(admin.query(sql)).as(sql).isEmpty();
  }

  private WireClient login() throws IOException {
    return WireClient.open(proxy.port()).startup(ProtocolVersion.V3_0, Map.of("user", ROLE));
  }

  private void assertThatItCanWork() throws IOException {
    try (WireClient client = login()) {
      assertThat(client.query("select current_user")).isEqualTo(ROLE);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop role $role; $make",
        "drop user $role; $make",
        "drop group if exists $role; $make",
        "begin; drop role $role; $make; commit",
        "alter role $role rename to renamed; $make; drop role renamed",
        "do 'begin drop role $role; end'; $make"
      })
  void aClientOfTheNewRoleGetsItsOwnServerConnections(String change) throws IOException {
    assertThatItCanWork();
    for (String sql : change.replace("$make", MAKE).replace("$role", ROLE).split("; (?!end)", -1)) {
      make(sql);
    }
    assertThatItCanWork();
  }

  /** What is set for a role is in force from a client's login on (PG18 sql-alterrole). */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alter role $role set statement_timeout = '7s' | statement_timeout | 7s",
        "alter role $role in database $database set lock_timeout = '7s' | lock_timeout | 7s",
        "alter database $database set work_mem = '7MB' | work_mem | 7MB"
      })
  void whatIsSetForARoleIsInForceForLaterClients(String change, String name, String value)
      throws IOException {
    assertThatItCanWork();
    String database = '"' + admin.query("select current_database()") + '"';
    String sql = change.replace("$role", ROLE).replace("$database", database);
    make(sql);
    try (WireClient client = login()) {
      assertThat(client.query("show " + name)).isEqualTo(value);
    }
    make(sql.replaceAll(" set (.*) = '.*?'", " reset $1"));
    try (WireClient client = login()) {
      assertThat(client.query("select current_setting('" + name + "', true)")).isNotEqualTo(value);
    }
  }

  @Test
  void soItDoesWhenTheRoleIsMadePastTheProxy() throws IOException, SQLException {
    assertThatItCanWork();
    proxy.makeOnShards("drop role " + ROLE + "; " + MAKE);
    assertThatItCanWork();
  }

  @Test
  void aConnectionInUseEndsWithItsTransaction() throws IOException {
    try (WireClient old = login()) {
      old.query("begin");
      assertThat(old.query("select 1")).isEqualTo("1");
      make("drop role " + ROLE);
      make(MAKE);
      assertThat(old.query("select 2")).isEqualTo("2");
      old.query("commit");
      assertThatItCanWork();
    }
  }

  /** The connections of other users may act as the role too. */
  @Test
  void aConnectionThatWasSetToTheOldRoleServesNobody() throws IOException {
    String allow = "grant " + ROLE + " to postgres";
    String become = "set role " + ROLE;
    make(allow);
    try (WireClient holder = proxy.login();
        WireClient before = proxy.login();
        WireClient after = proxy.login()) {
      // Two connections: the one of the old role stays, the other serves all until it is held.
      begin(holder);
      before.query(become);
      assertThat(before.query("select current_user")).isEqualTo(ROLE);
      holder.query("commit");
      make("drop role " + ROLE);
      make(MAKE);
      make(allow);
      after.query(become);
      begin(holder);
      assertThat(after.query("select current_user")).isEqualTo(ROLE);
      holder.query("commit");
    }
  }

  private static void begin(WireClient client) throws IOException {
    for (String sql : List.of("begin", "select 1")) {
      client.query(sql);
    }
  }
}
