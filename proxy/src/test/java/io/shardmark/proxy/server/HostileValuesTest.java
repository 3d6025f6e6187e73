package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that look like SQL, routes by hand or ends of strings go where their hash says. */
final class HostileValuesTest {
  private static final List<String> VALUES =
      List.of(
          "/* shardmark_shard: s0 */",
          "/* shardmark_shard: s1 */",
          "x' /* shardmark_shard: s0 */ --",
          "'; delete from t; --",
          "') returning 1; set shardmark.shard = 's1'; --",
          "\\'; drop table t; --",
          "\\",
          "$1",
          "$$ commit $$",
          "key\nwith\nlines -- and a comment",
          "\u00e4\u20ac\ud83d\ude00'",
          "null",
          "");

  @AutoClose private static RunningProxy proxy;

  @BeforeAll
  static void start() throws SQLException {
    proxy = RunningProxy.start(2, "pool_size: 2");
    proxy.makeOnShards(
        "create table t (k text, note text) partition by hash (k);"
            + "create table t_part partition of t for values with (modulus 2, remainder $shard)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended", "extendedForPrepared"})
  void goWhereTheirHashSays(String mode) throws SQLException {
    try (Connection client = proxy.connect("preferQueryMode=" + mode, "prepareThreshold=1")) {
      for (String value : VALUES) {
        update(client, "insert into t (k, note) values (?, ?)", value, value);
        assertThat(select(client, "select note from t where k = ?", value)).isEqualTo(value);
        // The partition of the other shard would have refused it; is it really there, and once?
        assertThat(count(0, value) + count(1, value)).as(value).isEqualTo(1);
        update(client, "update t set note = 'new' where k = ? and note = ?", value, value);
        assertThat(select(client, "select note from t where k = ?", value)).isEqualTo("new");
      }
      assertThat(select(client, "select count(*) from t where note <> ?", "no"))
          .isEqualTo(Integer.toString(VALUES.size()));
      for (String value : VALUES) {
        update(client, "delete from t where k = ? and note = ?", value, "new");
      }
      assertThat(select(client, "select count(*) from t where note <> ?", "no")).isEqualTo("0");
    }
  }

  private static void update(Connection client, String sql, String first, String second)
      throws SQLException {
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      statement.setString(1, first);
      statement.setString(2, second);
      assertThat(statement.executeUpdate()).as(sql + " " + first).isEqualTo(1);
    }
  }

  private static String select(Connection client, String sql, String key) throws SQLException {
    try (PreparedStatement statement = client.prepareStatement(sql)) {
      statement.setString(1, key);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).as(sql + " " + key).isTrue();
        return rows.getString(1);
      }
    }
  }

  private static int count(int shard, String key) throws SQLException {
    try (Connection direct = proxy.shard(shard);
        PreparedStatement statement =
            direct.prepareStatement("select count(*) from t where k = ?")) {
      statement.setString(1, key);
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        return row.getInt(1);
      }
    }
  }
}
