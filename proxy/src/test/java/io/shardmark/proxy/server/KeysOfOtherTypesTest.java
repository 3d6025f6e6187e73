package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.metrics.LoopCounter;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Tables sharded by uuid and varchar: a row that went to the wrong shard is refused there. */
final class KeysOfOtherTypesTest {
  private static final int ROWS = 60;

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "sharding: {short: code}");
    proxy.onShards(
        "create table t (k uuid, n int, primary key (k)) partition by hash (k);"
            + "create table p_$shard partition of t for values with (modulus 2, remainder $shard)");
    proxy.onShards("create table short (code varchar(3), n int)");
    proxy.refresh();
  }

  private static UUID key(int n) {
    return UUID.nameUUIDFromBytes(new byte[] {(byte) n});
  }

  private static int number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : -1;
    }
  }

  private static void assertEachOnOneShard(Connection connection) throws SQLException {
    long before = proxy.sum(LoopCounter.STATEMENTS_ONE_SHARD);
    try (Statement statement = connection.createStatement();
        PreparedStatement select = connection.prepareStatement("select n from t where k = ?")) {
      assertThat(number(statement, "select count(*) from t")).isEqualTo(ROWS);
      for (int n = 0; n < ROWS; n++) {
        select.setObject(1, key(n));
        try (ResultSet row = select.executeQuery()) {
          assertThat(row.next()).isTrue();
          assertThat(row.getInt(1)).isEqualTo(n);
        }
        String literal = "'" + key(n) + "'";
        for (String value : List.of(literal, literal + "::uuid", "uuid " + literal)) {
          assertThat(number(statement, "select n from t where k = " + value)).isEqualTo(n);
        }
      }
    }
    assertThat(proxy.sum(LoopCounter.STATEMENTS_ONE_SHARD) - before).isEqualTo(4L * ROWS);
  }

  @Test
  void insertsAndFindsByParametersAndLiterals() throws Exception {
    for (String mode : List.of("simple", "extended&prepareThreshold=-1", "extended")) {
      try (Connection connection = proxy.connect("preferQueryMode=" + mode);
          Statement statement = connection.createStatement()) {
        statement.execute("truncate t");
        try (PreparedStatement insert =
            connection.prepareStatement("insert into t values (?, ?), (?, ?)")) {
          for (int n = 0; n < ROWS / 2; n += 2) {
            insert.setObject(1, key(n));
            insert.setInt(2, n);
            insert.setObject(3, key(n + 1));
            insert.setInt(4, n + 1);
            assertThat(insert.executeUpdate()).isEqualTo(2);
          }
        }
        for (int n = ROWS / 2; n < ROWS; n++) {
          statement.execute("insert into t values ('%s', %d)".formatted(key(n), n));
        }
        assertEachOnOneShard(connection);
        for (int n = 0; n < ROWS; n++) {
          String where = " where k in ('" + key(n) + "')";
          assertThat(statement.executeUpdate("delete from t" + where)).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void copiesByKey() throws Exception {
    try (Connection connection = proxy.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("truncate t");
      StringBuilder rows = new StringBuilder();
      for (int n = 0; n < ROWS; n++) {
        rows.append(key(n)).append('\t').append(n).append('\n');
      }
      var copy = connection.unwrap(PGConnection.class).getCopyAPI();
      copy.copyIn("copy t from stdin", new StringReader(rows.toString()));
      assertEachOnOneShard(connection);
      var binary = new java.io.ByteArrayOutputStream();
      copy.copyOut("copy t to stdout (format binary)", binary);
      statement.execute("truncate t");
      copy.copyIn(
          "copy t from stdin (format binary)",
          new java.io.ByteArrayInputStream(binary.toByteArray()));
      assertEachOnOneShard(connection);
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

  /** NULL without quotes in an array is a text then. */
  @Test
  void aNullThatIsATextIsFoundInArrays() throws Exception {
    List<String> nulls = List.of("NUL", "NULL", "null", "nULL", "nuLL");
    proxy.makeOnShards(
        "create table word (code text, n int) partition by hash (code); create table word_$shard"
            + " partition of word for values with (modulus 2, remainder $shard)");
    try (Connection connection = proxy.connect("prepareThreshold=-1&preferQueryMode=extended");
        Statement statement = connection.createStatement();
        PreparedStatement count =
            connection.prepareStatement("select count(*) from word where code = any(?::text[])")) {
      for (String each : nulls) {
        statement.execute("insert into word values ('" + each + "', 1)");
      }
      for (String setting : List.of("on", "off")) {
        statement.execute("set array_nulls = " + setting);
        for (String each : nulls) {
          count.setObject(1, "{" + each + ",x}", Types.OTHER);
          try (ResultSet row = count.executeQuery()) {
            row.next();
            boolean isText = setting.equals("off") || each.equals("NUL");
            assertThat(row.getInt(1)).as("%s, %s", each, setting).isEqualTo(isText ? 1 : 0);
          }
        }
      }
    }
  }

  /** Found out when all rows are there already. */
  @Test
  void textsThatAreNotTheWholeValueAreNotMerged() throws Exception {
    try (WireClient client = proxy.login()) {
      client.query("truncate t");
      for (int n = 1; n <= 3; n++) {
        client.query("insert into t values ('%s', %d)".formatted(key(n), n));
      }
      String days = "select date '2026-02-01' + n, count(*) from t group by 1 order by 1 desc";
      client.query("set datestyle = 'German, DMY'");
      assertThat(client.query(days)).isEqualTo("0A000");
      client.query("set datestyle = 'ISO'");
      assertThat(client.query(days)).isEqualTo("2026-02-02");
      String floats = "select 0.1::float8 + n * 1e-17::float8 as f, count(*) from t group by 1";
      client.query("set extra_float_digits = 0");
      assertThat(client.query(floats)).isEqualTo("0A000");
      assertThat(client.query("select sum(n::float8) from t")).isEqualTo("0A000");
      client.query("set extra_float_digits = 1");
      assertThat(client.query("select sum(n::float8) from t")).isEqualTo("6");
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
