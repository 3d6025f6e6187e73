package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.commit.CommitSql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions over two shards that act as another role than the one that logged in. Only the login
 * may record decisions, and PostgreSQL lets only the role that prepared a transaction finish it.
 */
final class RolesOfTransactionsTest {
  private static final String LOGIN = RunningProxy.OTHER_USER;

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 4");
    proxy.onServer(
        "create role roles_app; create role "
            + LOGIN
            + " login password '"
            + LOGIN
            + "' in role roles_app");
    proxy.makeOnShards(
        """
        create table t (id int, who text default current_user) partition by hash (id);
        create table t_$shard partition of t for values with (modulus 2, remainder $shard);
        create function note() returns trigger language plpgsql as
          'begin update t set who = who || '','' || current_user where id = new.id; return null; end';
        create constraint trigger late after insert on t_$shard deferrable initially deferred
          for each row execute function note();
        grant all on t, t_$shard to roles_app;
        """
            + CommitSql.grantTo(LOGIN));
  }

  @AfterAll
  static void stop() throws SQLException {
    String privileges = "revoke all on %s from %s;";
    proxy.onShards(
        privileges.formatted("t, t_$shard", "roles_app")
            + privileges.formatted("shardmark.decision", LOGIN)
            + privileges.formatted("schema shardmark", LOGIN));
    proxy.onServer("drop role roles_app, " + LOGIN);
  }

  @BeforeEach
  void empty() throws SQLException {
    proxy.onShards("truncate t");
  }

  private static Connection login() throws SQLException {
    return DriverManager.getConnection(proxy.url("preferQueryMode=simple"), LOGIN, LOGIN);
  }

  private static void assertCommits(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("begin; " + setting);
      statement.execute("insert into t values (1), (2), (3), (4), (5), (6)");
      statement.execute("commit");
    }
    proxy.onShards(
        """
        do $$ begin
          assert (select count(*) > 0 and bool_and(who ~ '^roles_app(,roles_app)+$') from t),
            (select string_agg(who, ' ') from t);
          assert not exists (select from pg_prepared_xacts where database = current_database());
        end $$""");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set local role roles_app",
        "set role roles_app",
        "savepoint a; set local role roles_app; release a"
      })
  void commitWithTheRoleOfTheClient(String setting) throws SQLException {
    try (Connection connection = login()) {
      assertCommits(connection, setting);
      assertCommits(connection, setting);
    }
  }

  @Test
  void aRoleThatIsGivenUpBeforeTheCommitIsNotSeenAfterwards() throws SQLException {
    try (Connection connection = login();
        Statement statement = connection.createStatement()) {
      statement.execute("set role roles_app");
      statement.execute(
          "begin; set local role none; insert into t values (1), (2), (3), (4); commit");
      try (ResultSet rows = statement.executeQuery("select current_user, session_user")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("roles_app");
        assertThat(rows.getString(2)).isEqualTo(LOGIN);
      }
    }
  }
}
