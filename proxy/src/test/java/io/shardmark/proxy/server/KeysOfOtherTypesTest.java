package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.metrics.LoopCounter;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * Tables sharded by uuid, date and timestamp: a row that went to the wrong shard is refused there.
 */
final class KeysOfOtherTypesTest {
  private static final int ROWS = 60;
  private static final List<String> TYPES = List.of("uuid", "date", "timestamp");

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "sharding: {short: code}");
    for (String type : TYPES) {
      proxy.onShards(
          "create table t_%1$s (k %1$s, n int, primary key (k)) partition by hash (k);"
                  .formatted(type)
              + "create table p_%1$s_$shard partition of t_%1$s".formatted(type)
              + " for values with (modulus 2, remainder $shard)");
    }
    proxy.onShards("create table short (code varchar(3), n int)");
    proxy.refresh();
  }

  private static Object key(String type, int n) {
    return switch (type) {
      case "uuid" -> UUID.nameUUIDFromBytes(new byte[] {(byte) n});
      case "date" -> LocalDate.of(2026, 1, 1).plusDays(n);
      default -> LocalDateTime.of(2026, 1, 1, 0, 0).plusSeconds(n * 977L).plusNanos(n * 1000L);
    };
  }

  private static int number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : -1;
    }
  }

  private static void assertEachOnOneShard(Connection connection, String type) throws SQLException {
    long before = proxy.sum(LoopCounter.STATEMENTS_ONE_SHARD);
    try (Statement statement = connection.createStatement();
        PreparedStatement select =
            connection.prepareStatement("select n from t_" + type + " where k = ?")) {
      assertThat(number(statement, "select count(*) from t_" + type)).isEqualTo(ROWS);
      for (int n = 0; n < ROWS; n++) {
        select.setObject(1, key(type, n));
        try (ResultSet row = select.executeQuery()) {
          assertThat(row.next()).isTrue();
          assertThat(row.getInt(1)).isEqualTo(n);
        }
        String literal = "'" + key(type, n) + "'";
        for (String value : List.of(literal, literal + "::" + type, type + " " + literal)) {
          assertThat(number(statement, "select n from t_" + type + " where k = " + value))
              .isEqualTo(n);
        }
      }
    }
    assertThat(proxy.sum(LoopCounter.STATEMENTS_ONE_SHARD) - before).isEqualTo(4L * ROWS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uuid", "date", "timestamp"})
  void insertsAndFindsByParametersAndLiterals(String type) throws Exception {
    for (String mode : List.of("simple", "extended&prepareThreshold=-1", "extended")) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode);
          Statement statement = connection.createStatement()) {
        statement.execute("truncate t_" + type);
        try (PreparedStatement insert =
            connection.prepareStatement("insert into t_" + type + " values (?, ?), (?, ?)")) {
          for (int n = 0; n < ROWS / 2; n += 2) {
            insert.setObject(1, key(type, n));
            insert.setInt(2, n);
            insert.setObject(3, key(type, n + 1));
            insert.setInt(4, n + 1);
            assertThat(insert.executeUpdate()).isEqualTo(2);
          }
        }
        for (int n = ROWS / 2; n < ROWS; n++) {
          statement.execute("insert into t_%s values ('%s', %d)".formatted(type, key(type, n), n));
        }
        assertEachOnOneShard(connection, type);
        for (int n = 0; n < ROWS; n++) {
          String where = " where k in ('" + key(type, n) + "')";
          assertThat(statement.executeUpdate("delete from t_" + type + where)).isEqualTo(1);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"uuid", "date", "timestamp"})
  void copiesByKey(String type) throws Exception {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("truncate t_" + type);
      StringBuilder rows = new StringBuilder();
      for (int n = 0; n < ROWS; n++) {
        rows.append(key(type, n)).append('\t').append(n).append('\n');
      }
      var copy = connection.unwrap(PGConnection.class).getCopyAPI();
      copy.copyIn("copy t_" + type + " from stdin", new StringReader(rows.toString()));
      assertEachOnOneShard(connection, type);
      var binary = new java.io.ByteArrayOutputStream();
      copy.copyOut("copy t_" + type + " to stdout (format binary)", binary);
      statement.execute("truncate t_" + type);
      copy.copyIn(
          "copy t_" + type + " from stdin (format binary)",
          new java.io.ByteArrayInputStream(binary.toByteArray()));
      assertEachOnOneShard(connection, type);
    }
  }

  /** Another notation is another text of the same key, or is refused: never nothing. */
  @Test
  void otherNotationsFindTheRowOrAreRefused() throws Exception {
    // pgjdbc does not bear another DateStyle.
    try (WireClient client = proxy.login()) {
      client.query("truncate t_date");
      client.query("set datestyle = 'German, DMY'");
      client.query("insert into t_date values ('2026-02-03', 1)");
      assertThat(client.query("select n from t_date where k = date '2026-02-03'")).isEqualTo("1");
      for (String text : List.of("3.2.2026", "20260203", "Feb 3 2026", "2026-02-03 +01")) {
        for (String value : List.of("'" + text + "'", "date '" + text + "'")) {
          assertThat(client.query("select n from t_date where k = " + value))
              .as(value)
              .isIn("1", "0A000", "22P02");
        }
      }
    }
  }

  /** What is stored has lost the blanks that are too many, and lies where it is looked for. */
  @Test
  void blanksBehindAVarcharAreNoPartOfTheKey() throws Exception {
    List<String> codes = List.of("abc", "ab ", "c  ", "d  ", "e  ", "f  ");
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      StringBuilder rows = new StringBuilder();
      for (String code : codes) {
        statement.execute("insert into short values ('%1$s  ', 1), ('%1$s ', 2)".formatted(code));
        rows.append(code).append(" \t3\n");
      }
      var copy = connection.unwrap(PGConnection.class).getCopyAPI();
      copy.copyIn("copy short from stdin", new StringReader(rows.toString()));
      for (String code : codes) {
        assertThat(number(statement, "select count(*) from short where code = '" + code + "'"))
            .as(code)
            .isEqualTo(3);
      }
      assertThat(number(statement, "select count(*) from short a join short b using (code)"))
          .isEqualTo(9 * codes.size());
    }
  }

  /** NULL and the empty text lie on different shards: which of them a field is must be known. */
  @Test
  void copyThatForcesNullsOfTheKeyIsRefused() throws Exception {
    try (WireClient client = proxy.login()) {
      for (String option : List.of("force_null (n, code)", "force_not_null (code)")) {
        assertThat(client.query("copy short from stdin (format csv, " + option + ")"))
            .as(option)
            .isEqualTo("0A000");
      }
      assertThat(client.query("copy short from stdin csv force not null code")).isEqualTo("0A000");
      assertThat(client.query("update short set U&\"code\" = 'x' where code = 'y'"))
          .isEqualTo("0A000");
    }
  }

  /** Found out when all rows are there already. */
  @Test
  void textsThatAreNotTheWholeValueAreNotMerged() throws Exception {
    try (WireClient client = proxy.login()) {
      client.query("truncate t_date");
      client.query("insert into t_date select '2026-01-01', 1");
      client.query("insert into t_date values ('2026-01-02', 2), ('2026-01-03', 3)");
      String days = "select date '2026-02-01' + n, count(*) from t_date group by 1 order by 1 desc";
      client.query("set datestyle = 'German, DMY'");
      assertThat(client.query(days)).isEqualTo("0A000");
      client.query("set datestyle = 'ISO'");
      assertThat(client.query(days)).isEqualTo("2026-02-02");
      String floats =
          "select 0.1::float8 + n * 1e-17::float8 as f, count(*) from t_date group by 1";
      client.query("set extra_float_digits = 0");
      assertThat(client.query(floats)).isEqualTo("0A000");
      assertThat(client.query("select sum(n::float8) from t_date")).isEqualTo("0A000");
      client.query("set extra_float_digits = 1");
      assertThat(client.query("select sum(n::float8) from t_date")).isEqualTo("6");
    }
  }

  /** The row would be stored on a shard that no statement looks for it on. */
  @Test
  void aTriggerThatIsNotDeclaredImmutableMakesItsTableUnusable() throws Exception {
    String function =
        "create or replace function rekey() returns trigger language plpgsql %s as"
            + " $$ begin %s; return new; end $$";
    try (WireClient client = proxy.login()) {
      proxy.makeOnShards(function.formatted("", "new.code := 'zz'"));
      proxy.makeOnShards(
          "create trigger rekey before insert on short for each row execute function rekey()");
      assertThat(client.query("insert into short values ('aa', 1)")).isEqualTo("0A000");
      proxy.makeOnShards(function.formatted("immutable", "new.n := length(new.code)"));
      assertThat(client.query("insert into short values ('aa', 1)")).isEmpty();
      assertThat(client.query("select n from short where code = 'aa'")).isEqualTo("2");
      proxy.makeOnShards("drop function rekey cascade");
      assertThat(client.query("delete from short where code = 'aa'")).isEmpty();
    }
  }
}
