package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** {@code auth: shards}: users log in with the passwords that two real servers have for them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ShardUsersTest {
  @TempDir private static Path directory;
  private Cluster cluster;
  private ProxyProcess proxy;

  @BeforeAll
  void start() throws Exception {
    cluster = new Cluster(new Trap());
    cluster.promote();
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard,
          "create role reader login password 'sesame'; grant select on account to reader;"
              + "create role keeper login password 'keeper'");
    }
    copyVerifier("reader");
    copyVerifier("bench");
    proxy = ProxyProcess.start(directory, config("bench"));
  }

  @AfterAll
  void end() {
    proxy.close();
    cluster.close();
  }

  private String config(String own) {
    return cluster
            .proxyConfig()
            .replace("database: bench}", "database: bench, user: %1$s, password: %1$s}")
            .formatted(own)
        + "auth: shards\ncatalog_interval: 1s\nadmin_users: [reader]\n";
  }

  /** What the second shard keeps of the role's password becomes what the first one keeps. */
  private void copyVerifier(String role) throws SQLException {
    String verifier =
        cluster.query(0, "select rolpassword from pg_authid where rolname = '" + role + "'").get(0);
    cluster.execute(1, "alter role " + role + " password '" + verifier + "'");
  }

  private Connection connect(ProxyProcess to, String user, String password) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + to.port() + "/bench?preferQueryMode=simple",
        user,
        password);
  }

  /** The number of accounts that this user sees on all shards, else the SQLSTATE. */
  private String count(String user, String password) {
    try (Connection connection = connect(proxy, user, password);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from account")) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      return e.getSQLState() + ' ' + e.getMessage();
    }
  }

  private void await(String what, Callable<Boolean> isSo) {
    Await.until(what, proxy::logTail, isSo);
  }

  private void awaitCount(String user, String password, String expected) {
    await(expected + " for " + user, () -> count(user, password).startsWith(expected));
  }

  @Test
  void rolesOfTheShardsLogInWithTheirPasswords() {
    assertThat(count("reader", "sesame")).isEqualTo("64");
    assertThat(count("reader", "sesam")).startsWith("28P01");
    assertThat(count("nobody", "sesame"))
        .as("as for a wrong password")
        .isEqualTo(count("reader", "wrong").replace("\"reader\"", "\"nobody\""));
  }

  @Test
  void aRoleMadeLaterLogsInAndWritesOnBothShards() throws Exception {
    assertThat(count("later", "one")).startsWith("28P01");
    cluster.execute(0, "create role later login password 'one'; grant all on account to later");
    cluster.execute(1, "create role later login; grant all on account to later");
    copyVerifier("later");
    awaitCount("later", "one", "64");
    // A commit over two shards writes the decision as this role.
    await("the right to write decisions", () -> updatesAll("later", "one").equals("64"));
    assertThat(cluster.prepared()).isEmpty();
  }

  private String updatesAll(String user, String password) {
    try (Connection connection = connect(proxy, user, password);
        Statement statement = connection.createStatement()) {
      return Integer.toString(statement.executeUpdate("update account set balance = balance"));
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  @Test
  void aChangedPasswordReplacesTheOldOne() throws Exception {
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard, "create role changing login password 'old'; grant select on account to changing");
    }
    copyVerifier("changing");
    awaitCount("changing", "old", "64");
    cluster.execute(0, "alter role changing password 'new'");
    copyVerifier("changing");
    awaitCount("changing", "new", "64");
    assertThat(count("changing", "old")).startsWith("28P01");
    // New server connections are opened with what was proved last.
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard, "select pg_terminate_backend(pid) from pg_stat_activity where usename='changing'");
    }
    awaitCount("changing", "new", "64");
  }

  @Test
  void aReloadKeepsWhatClientsHaveProved() throws Exception {
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard, "create role staying login password 'old'; grant select on account to staying");
    }
    copyVerifier("staying");
    awaitCount("staying", "old", "64");
    try (Connection early = connect(proxy, "staying", "old");
        Statement statement = early.createStatement()) {
      try (Connection admin =
              DriverManager.getConnection(
                  "jdbc:postgresql://127.0.0.1:"
                      + proxy.port()
                      + "/shardmark?preferQueryMode=simple",
                  "reader",
                  "sesame");
          Statement command = admin.createStatement()) {
        command.execute("RELOAD");
      }
      for (int shard = 0; shard < 2; shard++) {
        cluster.execute(
            shard,
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'staying'");
      }
      await("server connections of a client from before the reload", () -> counts(statement));
    }
  }

  private static boolean counts(Statement statement) {
    try (ResultSet row = statement.executeQuery("select count(*) from account")) {
      return row.next() && row.getInt(1) == 64;
    } catch (SQLException e) {
      return false;
    }
  }

  @Test
  void passwordsGivenThroughTheProxyAreTheSameOnAllShards() throws Exception {
    try (Connection connection = connect(proxy, "bench", "bench");
        Statement statement = connection.createStatement()) {
      statement.execute("create user made password 'clear ''text'''");
      statement.execute("grant select on account to made");
      awaitCount("made", "clear 'text'", "64");
      statement.execute("alter role made with encrypted password 'another' nosuperuser");
      awaitCount("made", "another", "64");
      statement.execute("alter role made password null");
      awaitCount("made", "another", "28P01");
    }
  }

  @Test
  void aClientIsToldWhatItsRoleMayDoByNow() throws Exception {
    try (Connection connection = connect(proxy, "bench", "bench");
        Statement statement = connection.createStatement()) {
      statement.execute("create role rising login password 'rising'");
      statement.execute("grant select on account to rising");
      awaitCount("rising", "rising", "64");
      for (String option : List.of("superuser", "nosuperuser", "superuser")) {
        statement.execute("alter role rising " + option);
        try (Connection client = connect(proxy, "rising", "rising");
            Connection direct = cluster.open(0, "rising")) {
          assertThat(reported(client)).as(option).isEqualTo(reported(direct));
          assertThat(isSuperuser(client)).isEqualTo(isSuperuser(direct));
        }
      }
    }
  }

  private static Map<String, String> reported(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getParameterStatuses();
  }

  private static String isSuperuser(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show is_superuser")) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  @Test
  void anExpiredOrWithdrawnPasswordIsRefused() throws Exception {
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard, "create role passing login password 'old'; grant select on account to passing");
    }
    copyVerifier("passing");
    awaitCount("passing", "old", "64");
    cluster.execute(0, "alter role passing valid until '2001-01-01'");
    awaitCount("passing", "old", "28P01");
    cluster.execute(0, "alter role passing valid until 'infinity'");
    awaitCount("passing", "old", "64");
    cluster.execute(0, "alter role passing nologin");
    awaitCount("passing", "old", "28P01");
  }

  @Test
  void shardsThatDisagreeAreToldAndServeWhatTheyCan() throws Exception {
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard, "create role torn login password 'same'; grant select on account to torn");
    }
    awaitCount("torn", "same", "08006");
    assertThat(count("torn", "same"))
        .contains("no connection to shard s1")
        .contains("verifier of user \"torn\" is not the one that the client has proved");
    String own = "select id from account where id = " + cluster.accounts(0).get(0);
    try (Connection connection = connect(proxy, "torn", "same");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(own)) {
      assertThat(row.next()).as("a row of the shard that agrees").isTrue();
    }
    await("the problem is shown", () -> problems().stream().anyMatch(p -> p.contains("torn")));
    copyVerifier("torn");
    awaitCount("torn", "same", "64");
    await("the problem is gone", () -> problems().stream().noneMatch(p -> p.contains("torn")));
  }

  private List<String> problems() {
    String url =
        "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/shardmark?preferQueryMode=simple";
    try (Connection admin = DriverManager.getConnection(url, "reader", "sesame");
        Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery("SHOW PROBLEMS")) {
      List<String> problems = new java.util.ArrayList<>();
      while (rows.next()) {
        problems.add(rows.getString(1));
      }
      return problems;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aLoginWithoutTheRightToReadVerifiersEndsTheStart() throws Exception {
    ProcessBuilder builder = ProxyProcess.program(directory, config("keeper"));
    Process started = builder.redirectErrorStream(true).start();
    String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(started.waitFor(Await.LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(output)
        .contains("auth: shards: the login of shard s0 cannot read the verifiers")
        .contains("grant it select on pg_authid");
    assertThat(started.exitValue()).isEqualTo(1);
  }

  @Test
  void aLoginThatIsNoSuperuserReadsWhatItIsGranted() throws Exception {
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(
          shard,
          "create role granted login password 'granted'; grant select on pg_authid to granted;"
              + " grant update on shardmark.gate to granted");
    }
    try (ProxyProcess other = ProxyProcess.start(directory, config("granted"));
        Connection connection = connect(other, "reader", "sesame");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from account")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getInt(1)).isEqualTo(64);
    }
  }

  @Test
  void passwordsArePreparedAsPostgresDoesIt() throws Exception {
    String asTyped = "I\u00adX\u00a0\u2168"; // a soft hyphen, a no-break space, a Roman nine
    for (int shard = 0; shard < 2; shard++) {
      cluster.execute(shard, "create role typed login password '" + asTyped + "'");
      cluster.execute(shard, "grant select on account to typed");
    }
    String users = "  - {name: bench, password: bench}\n";
    String more = users + "  - {name: typed, password: \"" + asTyped + "\"}\n";
    String config = cluster.proxyConfig().replace(users, more);
    try (ProxyProcess other = ProxyProcess.start(directory, config);
        Connection connection = connect(other, "typed", "IX IX");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from account")) {
      assertThat(row.next()).isTrue();
      assertThat(row.getInt(1)).isEqualTo(64);
    }
  }

  @Test
  void aDatabaseOfAnotherNameDoesNotExist() throws Exception {
    String[] state = new String[2];
    for (String name : List.of("bench2", "reader", "postgres")) {
      String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + name;
      try {
        DriverManager.getConnection(url, "reader", "sesame").close();
      } catch (SQLException e) {
        state[0] = e.getSQLState();
        state[1] = e.getMessage();
      }
      assertThat(state[0]).isEqualTo("3D000");
      assertThat(state[1]).contains("FATAL: database \"" + name + "\" does not exist");
      // The password comes first, as in PostgreSQL: strangers learn nothing.
      try {
        DriverManager.getConnection(url, "reader", "wrong").close();
      } catch (SQLException e) {
        state[0] = e.getSQLState();
      }
      assertThat(state[0]).isEqualTo("28P01");
    }
    try (ProxyProcess other =
            ProxyProcess.start(directory, config("bench") + "databases: [postgres]\n");
        Connection alias =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + other.port() + "/postgres", "reader", "sesame")) {
      assertThat(alias.isValid(Await.LIMIT_SECONDS)).isTrue();
    }
  }
}
