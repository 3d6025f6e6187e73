package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConnectionConfigTest {
  private static final String POSTGRES =
      "db=postgres\ndriver=org.postgresql.Driver\nconn=jdbc:postgresql://h/d\nuser=u\npassword=p\n";

  private static BenchmarkProperties parse(String text) {
    return BenchmarkProperties.parse(TestCatalog.TPCC, Path.of("props.pg"), text, Map.of());
  }

  @Test
  void needsFiveKeys() {
    assertThat(parse(POSTGRES).connection())
        .isEqualTo(
            new ConnectionConfig(
                DatabaseKind.POSTGRES,
                "org.postgresql.Driver",
                "jdbc:postgresql://h/d",
                "u",
                new Secret("p"),
                Duration.ofSeconds(30),
                Duration.ZERO,
                IsolationLevel.DEFAULT,
                ShardMapUse.AUTO));
  }

  @ParameterizedTest
  @CsvSource({"db", "driver", "conn", "user", "password"})
  void eachOfTheFiveIsRequired(String key) {
    String text = POSTGRES.replaceAll("(?m)^" + key + "=.*\n", "");

    assertThatThrownBy(() -> parse(text).connection())
        .isInstanceOf(ConfigException.class)
        .hasMessageMatching("props\\.pg: key '" + key + "' is missing: expected [^\n]+");
  }

  @Test
  void passwordMayBeEmptyAndKeepsItsBlanks() {
    assertThat(parse(POSTGRES.replace("password=p", "password=")).connection().password().value())
        .isEmpty();
    assertThat(parse(POSTGRES.replace("password=p", "password=p ")).connection().password().value())
        .isEqualTo("p ");
  }

  @Test
  void passwordIsNotInTheTextForm() {
    assertThat(parse(POSTGRES.replace("password=p", "password=secret")).connection().toString())
        .doesNotContain("secret");
  }

  @Test
  void timeoutsAndIsolation() {
    ConnectionConfig connection =
        parse(POSTGRES + "connectTimeoutSecs=5\nstatementTimeoutSecs=60\nisolation=Repeatable Read")
            .connection();

    assertThat(connection.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(connection.statementTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(connection.isolation()).isEqualTo(IsolationLevel.REPEATABLE_READ);
    assertThat(connection.isolation().jdbcLevel()).hasValue(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(IsolationLevel.DEFAULT.jdbcLevel()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          db=pgsql               | props.pg:6: db=pgsql: expected postgres, oracle, mysql, mariadb or firebird
          db=POSTGRES            | props.pg:6: db=POSTGRES: expected postgres, oracle, mysql, mariadb or firebird
          driver=not a class     | props.pg:6: driver=not a class: expected the class name of a JDBC driver
          conn=localhost:5432    | props.pg:6: conn=localhost:5432: expected a JDBC URL (jdbc:...), embedded:postgres, embedded:replicated, embedded:sharded or null:
          connectTimeoutSecs=0   | props.pg:6: connectTimeoutSecs=0: expected a whole number from 1 to 3600
          statementTimeoutSecs=-1| props.pg:6: statementTimeoutSecs=-1: expected a whole number from 0 to 86400
          isolation=snapshot     | props.pg:6: isolation=snapshot: expected default, read_committed, repeatable_read or serializable
          """)
  void refuses(String line, String message) {
    assertThatThrownBy(() -> parse(POSTGRES + line).connection())
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          db=mysql                         | props.pg:6: db=mysql: expected postgres, to which conn=jdbc:postgresql:... belongs
          db=oracle                        | props.pg:6: db=oracle: expected postgres, to which conn=jdbc:postgresql:... belongs
          conn=jdbc:mysql://h/d            | props.pg:1: db=postgres: expected mariadb or mysql, to which conn=jdbc:mysql:... belongs
          conn=jdbc:oracle:thin:@h:1521:XE | props.pg:1: db=postgres: expected oracle, to which conn=jdbc:oracle:... belongs
          """)
  void urlOfAnotherDatabaseIsRefused(String line, String message) {
    assertThatThrownBy(() -> parse(POSTGRES + line).connection())
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @Test
  void urlOfAnotherDatabaseOnTheCommandLineIsToBlame() {
    Map<String, String> overrides = Map.of("conn", "jdbc:mysql://h/d");
    assertThatThrownBy(
            () ->
                BenchmarkProperties.parse(
                        TestCatalog.TPCC, Path.of("props.pg"), POSTGRES, overrides)
                    .connection())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "command line: conn=jdbc:mysql://h/d: expected a URL of db=postgres; this one is of mariadb or mysql");
  }

  @Test
  void oracleHasNoRepeatableRead() {
    assertThatThrownBy(
            () ->
                parse(
                        POSTGRES
                            + "db=oracle\nconn=jdbc:oracle:thin:@h:1521:XE\nisolation=repeatable_read")
                    .connection())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "props.pg:8: isolation=repeatable_read:"
                + " expected one of default, read_committed, serializable with db=oracle");
  }

  @Test
  void embeddedNeedsNothingElse() {
    ConnectionConfig connection = parse("conn=embedded:postgres?shards=2").connection();

    assertThat(connection.isEmbedded()).isTrue();
    assertThat(connection.database()).isEqualTo(DatabaseKind.POSTGRES);
    assertThat(connection.url()).isEqualTo("embedded:postgres?shards=2");
    assertThatThrownBy(() -> parse("db=oracle\nconn=embedded:postgres").connection())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "props.pg:1: db=oracle: expected postgres, the only database that conn=embedded:... starts");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:mysql://h/d, 1",
    "jdbc:mysql://h/d?permitMysqlScheme, 0",
    "jdbc:mariadb://h/d, 0"
  })
  void mariadbDriverRefusesMysqlUrls(String url, int warnings) {
    String text = "db=mysql\ndriver=org.mariadb.jdbc.Driver\nconn=" + url;

    assertThat(parse(text).warnings())
        .hasSize(warnings)
        .allMatch(w -> w.startsWith("props.pg:3: "));
  }

  @Test
  void urlIsPassedUnchangedAndShownWithoutPassword() {
    String url = "jdbc:postgresql://h:5432/d?user=u&password=secret&reWriteBatchedInserts=true";
    ConnectionConfig connection = parse(POSTGRES + "conn=" + url).connection();

    assertThat(connection.url()).isEqualTo(url);
    assertThat(connection.maskedUrl())
        .isEqualTo(
            "jdbc:postgresql://h:5432/d?user=u&password=***********&reWriteBatchedInserts=true");
  }
}
