package io.shardmark.driver.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.DatabaseKind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots of endpoints whose answers are written here: a value, or an SQLSTATE after '!'. */
final class ReadTransactionTest {
  private static final String ISOLATION = "SHOW shardmark.cross_shard_isolation";
  private static final String EXPORT = "SELECT pg_export_snapshot()";

  private final Map<String, String> answers = new LinkedHashMap<>();
  private boolean autoCommit = true;

  private static <T> T made(Class<T> type, InvocationHandler calls) {
    return type.cast(
        Proxy.newProxyInstance(
            ReadTransactionTest.class.getClassLoader(), new Class<?>[] {type}, calls));
  }

  private String answer(String sql) throws SQLException {
    String answer = answers.getOrDefault(sql, "0");
    if (answer.startsWith("!")) {
      throw new SQLException("refused", answer.substring(1));
    }
    return answer;
  }

  private static ResultSet row(String value) {
    return made(
        ResultSet.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "next" -> true;
              case "getString" -> value;
              case "getLong" -> Long.parseLong(value);
              default -> null;
            });
  }

  private Connection connection() {
    Statement statement =
        made(
            Statement.class,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "executeQuery" -> row(answer((String) arguments[0]));
                  case "execute" -> answer((String) arguments[0]).isEmpty();
                  default -> null;
                });
    return made(
        Connection.class,
        (self, method, arguments) -> {
          if (method.getName().equals("setAutoCommit")) {
            autoCommit = (boolean) arguments[0];
          }
          return switch (method.getName()) {
            case "createStatement" -> statement;
            case "getAutoCommit" -> autoCommit;
            default -> null;
          };
        });
  }

  @ParameterizedTest
  @CsvSource({"snapshot, shardmark:a=1;b=1", "per_shard,", "refuse,", "!42704,"})
  void shardsHaveOneSnapshotWhereTheEndpointSaysSo(String isolation, String expected)
      throws SQLException {
    answers.put(ISOLATION, isolation);
    answers.put(EXPORT, "shardmark:a=1;b=1");
    assertThat(ReadTransaction.beginOverShards(connection())).isEqualTo(expected);
    assertThat(autoCommit).isEqualTo(expected == null);
    autoCommit = true;
    assertThat(ReadTransaction.begin(connection(), DatabaseKind.POSTGRES, false))
        .isEqualTo(expected);
    assertThat(autoCommit).isEqualTo(expected == null);
  }

  /** A check that then read without one would find violations that are none. */
  @ParameterizedTest
  @ValueSource(strings = {"40001", "08006", "57014", "53200"})
  void anErrorThatMayPassIsNoReasonToReadWithoutASnapshot(String state) {
    answers.put(ISOLATION, "snapshot");
    answers.put(EXPORT, "!" + state);
    assertThatThrownBy(() -> ReadTransaction.beginOverShards(connection()))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> ReadTransaction.begin(connection(), DatabaseKind.POSTGRES, false))
        .isInstanceOf(SQLException.class);
    answers.put(ISOLATION, "!" + state);
    assertThatThrownBy(() -> ReadTransaction.beginOverShards(connection()))
        .isInstanceOf(SQLException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0A000", "42883", "42501", "42601"})
  void whatHasNoSnapshotIsReadWithoutOne(String state) throws SQLException {
    answers.put(EXPORT, "!" + state);
    assertThat(ReadTransaction.begin(connection(), DatabaseKind.POSTGRES, false)).isNull();
    assertThat(autoCommit).isTrue();
  }

  @Test
  void oneServerHasASnapshotToGive() throws SQLException {
    answers.put(EXPORT, "00000003-1");
    assertThat(ReadTransaction.begin(connection(), DatabaseKind.POSTGRES, false))
        .isEqualTo("00000003-1");
  }
}
