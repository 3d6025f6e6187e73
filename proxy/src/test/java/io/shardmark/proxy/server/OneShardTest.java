package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** pgjdbc through the proxy on one shard. */
final class OneShardTest {
  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(1, "pool_size: 2");
    proxy.makeOnShards("create table t (id int primary key, v text)");
  }

  private static int queryInt(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }

  @Test
  void answersExtendedAndSimpleQueries() throws SQLException {
    for (String mode : new String[] {"extended", "simple", "extendedForPrepared"}) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode)) {
        assertThat(queryInt(connection, "select 41 + 1")).isEqualTo(42);
        try (PreparedStatement statement = connection.prepareStatement("select ?::int + 1")) {
          for (int i = 0; i < 10; i++) {
            statement.setInt(1, i);
            try (ResultSet rows = statement.executeQuery()) {
              assertThat(rows.next()).isTrue();
              assertThat(rows.getInt(1)).isEqualTo(i + 1);
            }
          }
        }
      }
    }
  }

  @Test
  void sharesServerConnectionsBetweenMoreClientsThanThereAre() throws SQLException {
    Connection[] clients = new Connection[10];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = proxy.connect("prepareThreshold=1");
    }
    for (int round = 0; round < 5; round++) {
      for (Connection client : clients) {
        try (PreparedStatement statement =
            client.prepareStatement("select count(*) from t where id < ?")) {
          statement.setInt(1, -round);
          try (ResultSet rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isZero();
          }
        }
      }
    }
    for (Connection client : clients) {
      client.close();
    }
  }

  /** PostgreSQL takes them for partitions only; a table may be as new as it wants. */
  @ParameterizedTest
  @ValueSource(strings = {"alone", "transaction", "message"})
  void storageOfATableIsThatOfItsPartitions(String how) throws SQLException {
    List<String> statements =
        List.of(
            "create table %s (id int) partition by hash (id)".formatted(how),
            "create table %s_0 partition of %1$s for values with (modulus 1, remainder 0)"
                .formatted(how),
            "create table plain_%s (id int) with (fillfactor = 50)".formatted(how),
            "alter table %s set (fillfactor = 55)".formatted(how),
            "alter table plain_%s set (fillfactor = 55)".formatted(how));
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(!how.equals("transaction"));
      if (how.equals("message")) {
        statement.execute(String.join(";", statements));
      } else {
        for (String sql : statements) {
          statement.execute(sql);
        }
      }
      connection.setAutoCommit(true);
      assertThat(
              queryInt(
                  connection,
                  "select count(*) from pg_class where reloptions = '{fillfactor=55}'"
                      + " and relname in ('%s_0', 'plain_%1$s')".formatted(how)))
          .isEqualTo(2);
      statement.execute("alter table if exists nowhere set (fillfactor = 55)");
      assertThatThrownBy(() -> statement.execute("alter table nowhere set (fillfactor = 55)"))
          .hasMessageContaining("relation \"nowhere\" does not exist");
      statement.execute("create view view_%s as select 1 as one".formatted(how));
      assertThatThrownBy(
              () -> statement.execute("alter table view_%s set (nothing = 55)".formatted(how)))
          .hasMessageContaining("unrecognized parameter \"nothing\"");
    }
  }

  /** Another client may have called nextval on the connection in the meantime. */
  /** A load asks where its tables are as soon as it has made the first one. */
  @Test
  void showsATableThatHasJustBeenMade() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 5; i++) {
        statement.execute("create table just_made_%d (id int)".formatted(i));
        List<String> shown = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("show shard map")) {
          while (rows.next()) {
            shown.add(rows.getString(2));
          }
        }
        assertThat(String.join(" ", shown)).contains("just_made_" + i);
      }
    }
  }

  @Test
  void tellsWhatNextvalHasGivenInTheSameTransactionOnly() throws SQLException {
    proxy.makeOnShards("create sequence numbers");
    try (Connection first = proxy.connect();
        Connection second = proxy.connect()) {
      first.setAutoCommit(false);
      int given = queryInt(first, "select nextval('numbers')");
      assertThat(queryInt(second, "select nextval('numbers')")).isGreaterThan(given);
      assertThat(queryInt(first, "select currval('numbers')")).isEqualTo(given);
      assertThat(queryInt(first, "select lastval()")).isEqualTo(given);
      first.commit();
      first.setAutoCommit(true);
      for (String mode : new String[] {"select currval('numbers')", "select lastval()"}) {
        assertThatThrownBy(() -> queryInt(first, mode))
            .hasMessageContaining("may return another client's value")
            .extracting(e -> ((SQLException) e).getSQLState())
            .isEqualTo("0A000");
      }
    }
  }

  /** On a server connection that had not prepared it before its table was changed. */
  @Test
  void preparesAStatementAnewWhoseColumnsHaveChanged() throws SQLException {
    try (Connection first = proxy.connect();
        Connection second = proxy.connect();
        Connection client = proxy.connect("prepareThreshold=1");
        Statement change = second.createStatement()) {
      change.execute("create table changing as select 'old' as v");
      first.setAutoCommit(false);
      assertThat(queryInt(first, "select 1")).isEqualTo(1);
      try (PreparedStatement all = client.prepareStatement("select * from changing")) {
        all.executeQuery().close();
        change.execute("alter table changing add more int default 7");
        second.setAutoCommit(false);
        assertThat(queryInt(second, "select 2")).isEqualTo(2);
        first.commit();
        try (ResultSet rows = all.executeQuery()) {
          assertThat(rows.getMetaData().getColumnCount()).isEqualTo(2);
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt("more")).isEqualTo(7);
        }
      }
    }
  }

  @Test
  void commitsAndRollsBack() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.executeUpdate("insert into t values (100, 'a')");
      connection.rollback();
      assertThat(queryInt(connection, "select count(*) from t where id = 100")).isZero();
      statement.executeUpdate("insert into t values (100, 'a')");
      connection.commit();
      assertThat(queryInt(connection, "select count(*) from t where id = 100")).isEqualTo(1);
      statement.executeUpdate("delete from t where id = 100");
      connection.commit();
    }
  }

  @Test
  void failsATransactionUntilItsEnd() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> statement.execute("select 1/0"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
      assertThatThrownBy(() -> statement.execute("select 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
      connection.rollback();
      assertThat(queryInt(connection, "select 7")).isEqualTo(7);
    }
  }

  @Test
  void keepsSettingsWithTheClient() throws SQLException {
    try (Connection first = proxy.connect();
        Connection second = proxy.connect()) {
      try (Statement statement = first.createStatement()) {
        statement.execute("set work_mem = '12345kB'");
      }
      assertThat(show(second, "work_mem")).isNotEqualTo("12345kB");
      assertThat(show(first, "work_mem")).isEqualTo("12345kB");
      assertThat(show(second, "work_mem")).isNotEqualTo("12345kB");
      try (Statement statement = first.createStatement()) {
        statement.execute("reset work_mem");
      }
      assertThat(show(first, "work_mem")).isNotEqualTo("12345kB");
    }
  }

  private static String show(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("show " + name)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  /** The proxy splits texts and finds transaction control in them by the standard's rules. */
  @Test
  void keepsStandardStringsOn() throws SQLException {
    assertThatThrownBy(() -> proxy.connect("options=-c%20standard_conforming_strings=off"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("set standard_conforming_strings = off"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
      statement.execute("set standard_conforming_strings = on");
    }
  }

  @Test
  void undoesSettingsOfATransactionRolledBack() throws SQLException {
    try (Connection connection = proxy.connect()) {
      String before = show(connection, "work_mem");
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("set work_mem = '23456kB'");
      }
      assertThat(show(connection, "work_mem")).isEqualTo("23456kB");
      connection.rollback();
      assertThat(show(connection, "work_mem")).isEqualTo(before);
      connection.commit();
    }
  }

  @Test
  void fetchesInPortions() throws SQLException {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(7);
      int count = 0;
      try (ResultSet rows = statement.executeQuery("select generate_series(1, 100)")) {
        while (rows.next()) {
          assertThat(rows.getInt(1)).isEqualTo(++count);
        }
      }
      assertThat(count).isEqualTo(100);
      connection.commit();
    }
  }

  @Test
  void goesOnAfterAnErrorInABatch() throws SQLException {
    try (Connection connection = proxy.connect();
        PreparedStatement insert =
            connection.prepareStatement("insert into t values (?, 'batch')")) {
      for (int id : new int[] {500, 501, 500, 502}) {
        insert.setInt(1, id);
        insert.addBatch();
      }
      assertThatThrownBy(insert::executeBatch)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
      assertThat(queryInt(connection, "select count(*) from t where v = 'batch'")).isZero();
    }
  }

  @Test
  void runsSeveralStatementsOfOneQuery() throws SQLException {
    try (Connection connection = proxy.connect("preferQueryMode=simple");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "begin; insert into t values (900, 'x'); commit; select count(*) from t where id = 900");
      assertThat(queryInt(connection, "delete from t where id = 900 returning id")).isEqualTo(900);
    }
  }
}
