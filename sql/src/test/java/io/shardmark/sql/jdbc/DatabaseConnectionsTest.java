package io.shardmark.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.IsolationLevel;
import io.shardmark.config.Secret;
import io.shardmark.config.ShardMapUse;
import io.shardmark.servers.FreePort;
import io.shardmark.sql.TestPostgres;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.dialect.SqlErrorClass;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DatabaseConnectionsTest {
  /** For what no test waits for in vain. */
  private static final Duration LONG = Duration.ofMinutes(2);

  private static ConnectionConfig with(
      ConnectionConfig base, String driverClass, String url, String user, Duration timeout) {
    return new ConnectionConfig(
        base.database(),
        driverClass,
        url,
        user,
        base.password(),
        LONG,
        timeout,
        IsolationLevel.DEFAULT,
        ShardMapUse.AUTO);
  }

  private static ConnectionConfig withUrl(String url) {
    ConnectionConfig base = TestPostgres.config("postgres");
    return with(base, base.driverClass(), url, "postgres", Duration.ZERO);
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void opensAConnectionInAutoCommitModeUnderItsName() throws SQLException {
    try (Connection connection = DatabaseConnections.of(TestPostgres.config("postgres")).open()) {
      assertThat(connection.getAutoCommit()).isTrue();
      assertThat(query(connection, "show application_name")).isEqualTo("shardmark");
      assertThat(connection.getNetworkTimeout()).isZero();
    }
  }

  @Test
  void limitsTheTimeOfStatementsOnTheServer() throws SQLException {
    ConnectionConfig base = TestPostgres.config("postgres");
    ConnectionConfig config =
        with(base, base.driverClass(), base.url(), "postgres", Duration.ofSeconds(2));
    try (Connection connection = DatabaseConnections.of(config).open()) {
      assertThat(query(connection, "show statement_timeout")).isEqualTo("2s");
      assertThatThrownBy(() -> query(connection, "select pg_sleep(60)"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e ->
                  assertThat(Dialect.POSTGRES.classify(e))
                      .isEqualTo(SqlErrorClass.STATEMENT_TIMEOUT));
    }
  }

  @Test
  void saysThatTheDatabaseDoesNotExist() {
    assertThatThrownBy(() -> DatabaseConnections.of(TestPostgres.config("nosuch")).open())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "cannot connect to jdbc:postgresql://127.0.0.1:%d/nosuch as user postgres: FATAL:"
                    .formatted(TestPostgres.port())
                + " database \"nosuch\" does not exist (SQLSTATE 3D000); check the database name in"
                + " the key conn");
  }

  @Test
  void setsTheIsolationLevel() throws SQLException {
    ConnectionConfig base = TestPostgres.config("postgres");
    ConnectionConfig config =
        new ConnectionConfig(
            base.database(),
            base.driverClass(),
            base.url(),
            base.user(),
            base.password(),
            base.connectTimeout(),
            Duration.ZERO,
            IsolationLevel.SERIALIZABLE,
            base.shardMap());
    try (Connection connection = DatabaseConnections.of(config).open()) {
      assertThat(query(connection, "show transaction_isolation")).isEqualTo("serializable");
    }
  }

  @Test
  void saysThatTheUserIsNotAccepted() {
    ConnectionConfig base = TestPostgres.config("postgres");
    ConnectionConfig config = with(base, base.driverClass(), base.url(), "nobody", Duration.ZERO);
    assertThatThrownBy(() -> DatabaseConnections.of(config).open())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("as user nobody: FATAL:")
        .hasMessageEndingWith("check the keys user and password");
  }

  @Test
  void saysThatNoServerIsThereAndHidesAPasswordInTheUrl() throws IOException {
    int port = FreePort.find();
    String url = "jdbc:postgresql://localhost:" + port + "/postgres?password=hidden&ssl=false";
    assertThatThrownBy(() -> DatabaseConnections.of(withUrl(url)).open())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/postgres?password=***&ssl=false as user postgres: Connection")
        .hasMessageNotContaining("hidden")
        .hasMessageNotContaining("\n")
        .hasMessageEndingWith("(SQLSTATE 08001); is the server running there? Check the key conn");
  }

  @Test
  void saysThatTheUrlIsNotTheDrivers() {
    assertThatThrownBy(() -> DatabaseConnections.of(withUrl("jdbc:mysql://localhost/x")).open())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "conn=jdbc:mysql://localhost/x: not a URL of the driver org.postgresql.Driver; check"
                + " the keys conn and driver");
  }

  @Test
  void saysWhatToDoWhereTheServerHasNoTls() {
    ConnectionConfig base = TestPostgres.config("postgres");
    ConnectionConfig config =
        with(
            base,
            base.driverClass(),
            base.url() + (base.url().contains("?") ? "&" : "?") + "sslmode=require",
            base.user(),
            Duration.ZERO);
    assertThatThrownBy(() -> DatabaseConnections.of(config).open())
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith(
            "; the server has no TLS: switch it on there, or write sslmode=disable in the key conn");
  }

  @Test
  void saysWhereItLookedForADriver(@TempDir Path directory) {
    ConnectionConfig config =
        new ConnectionConfig(
            DatabaseKind.FIREBIRD,
            "org.firebirdsql.jdbc.FBDriver",
            "jdbc:firebirdsql://localhost:3050//x",
            "sysdba",
            new Secret("x"),
            Duration.ofSeconds(1),
            Duration.ZERO,
            IsolationLevel.DEFAULT,
            ShardMapUse.AUTO);
    assertThatThrownBy(() -> DatabaseConnections.of(config, directory))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("driver=org.firebirdsql.jdbc.FBDriver: JDBC driver not found")
        .hasMessageContaining(directory.toAbsolutePath().resolve("lib/firebird").toString())
        .hasMessageEndingWith(
            "put the driver's jar into lib/firebird (Maven Central: org.firebirdsql.jdbc:jaybird)");
  }

  @Test
  void refusesAClassThatIsNoDriver() {
    ConnectionConfig base = TestPostgres.config("postgres");
    ConnectionConfig config = with(base, "java.lang.String", base.url(), "postgres", Duration.ZERO);
    assertThatThrownBy(() -> DatabaseConnections.of(config))
        .isInstanceOf(ConfigException.class)
        .hasMessage("driver=java.lang.String: is not a JDBC driver class");
  }

  @Test
  void opensAFullPoolWithAutoCommitOff() throws SQLException {
    ConnectionConfig config = TestPostgres.newDatabase();
    DatabaseConnections connections = DatabaseConnections.of(config);
    try (HikariDataSource pool = connections.pool(new PoolConfig("full", 20, LONG));
        Connection other = connections.open()) {
      assertThat(query(other, COUNT)).isEqualTo("21");
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.getAutoCommit()).isFalse();
      }
    }
  }

  @Test
  void leavesNoConnectionOpenWhenThePoolCannotBeFilled() throws SQLException {
    ConnectionConfig config = TestPostgres.newDatabase();
    DatabaseConnections connections = DatabaseConnections.of(config);
    assertThatThrownBy(() -> connections.pool(new PoolConfig("toobig", 400, LONG)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("SQLSTATE 53300")
        .hasMessageEndingWith("the server allows no more connections");
    // A server process lives a moment longer than its connection.
    try (Connection other = connections.open();
        Statement statement = other.createStatement()) {
      statement.execute(
          "do $$ begin for i in 1..24000 loop perform pg_stat_clear_snapshot(); exit when ("
              + COUNT
              + ") = 1; perform pg_sleep(0.01); end loop; end $$");
      assertThat(query(other, COUNT)).isEqualTo("1");
    }
  }

  @Test
  void replacesConnectionsThatTheServerClosed() throws SQLException {
    ConnectionConfig config = TestPostgres.newDatabase();
    DatabaseConnections connections = DatabaseConnections.of(config);
    int size = 4;
    try (HikariDataSource pool = connections.pool(new PoolConfig("killed", size, LONG));
        Connection other = connections.open()) {
      query(
          other,
          "select count(pg_terminate_backend(pid, 120000)) from pg_stat_activity"
              + " where datname = current_database() and backend_type = 'client backend'"
              + " and pid <> pg_backend_pid()");
      int failures = 0;
      try (Connection connection = pool.getConnection()) {
        query(connection, "select 1");
      } catch (SQLException e) {
        failures++;
        assertThat(Dialect.POSTGRES.classify(e)).isEqualTo(SqlErrorClass.CONNECTION_LOST);
      }
      assertThat(failures).isEqualTo(1);
      pool.getHikariPoolMXBean().softEvictConnections();
      List<Connection> borrowed = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Connection connection = pool.getConnection();
        borrowed.add(connection);
        assertThat(query(connection, "select 1")).isEqualTo("1");
      }
      for (Connection connection : borrowed) {
        connection.close();
      }
    }
  }

  private static final String COUNT =
      "select count(*) from pg_stat_activity where datname = current_database()"
          + " and backend_type = 'client backend'";
}
