package io.shardmark.driver.dbstats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.servers.PrivatePgBouncer;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.tpcc.statements.StatementProfiles;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.sql.jdbc.Pooler;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an observer sets must not be left in the server connections that others get next. */
final class BehindPoolerTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static PrivatePgBouncer pooler;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(PrivatePgBouncer.isInstalled(), PrivatePgBouncer.NOT_THERE);
    pooler = PrivatePgBouncer.start(1);
  }

  @AfterAll
  static void stop() {
    if (pooler != null) {
      pooler.close();
    }
  }

  private static Connection connect() throws SQLException {
    return pooler.connect("postgres");
  }

  /** Of the one server connection that all share; the pooler itself keeps the client's name. */
  private static List<String> settings() throws SQLException {
    List<String> settings = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT name, setting FROM pg_settings WHERE source = 'session'"
                    + " AND name <> 'application_name' ORDER BY name")) {
      while (rows.next()) {
        settings.add(rows.getString(1) + "=" + rows.getString(2));
      }
    }
    return settings;
  }

  @Test
  void theWaitSamplerLeavesNothingBehind() throws SQLException {
    List<String> before = settings();
    List<String> notes = Collections.synchronizedList(new ArrayList<>());
    try (ServerPoll<WaitSampler> poll =
        WaitSampler.start(BehindPoolerTest::connect, Duration.ofMillis(20), notes::add)) {
      await()
          .atMost(PATIENCE)
          .until(() -> poll.probe().recent().coveredSeconds() > 0 || !notes.isEmpty());
      assertThat(settings()).isEqualTo(before);
    }
    assertThat(notes).isEmpty();
  }

  @Test
  void verifyLeavesNothingBehind() throws Exception {
    List<String> before = settings();
    Conditions conditions =
        new Conditions() {
          @Override
          public String table() {
            return "pg_class";
          }

          @Override
          public List<Condition> all(DatabaseKind kind) {
            return List.of(
                Condition.always(
                    "1",
                    "has memory for hashes",
                    1,
                    1,
                    "SELECT 1 AS one WHERE current_setting('work_mem') <> '256MB'"),
                Condition.always("2", "fails", 1, 1, "SELECT 1 / 0 AS one"),
                Condition.always("3", "holds", 1, 1, "SELECT 1 AS one WHERE false"));
          }
        };

    List<ConditionResult> results =
        new Verifier(BehindPoolerTest::connect, DatabaseKind.POSTGRES, 2).run(conditions).results();

    assertThat(results)
        .extracting(ConditionResult::verdict)
        .containsExactly(Verdict.PASS, Verdict.ERROR, Verdict.PASS);
    assertThat(settings()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(
      value = StatementProfile.class,
      names = {"BENCHMARKSQL", "BATCHED"})
  void aTerminalLeavesNothingBehind(StatementProfile profile) throws SQLException {
    List<String> before = settings();
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      StatementProfiles.open(profile, DatabaseKind.POSTGRES, Optional.empty(), connection);
    }
    assertThat(settings()).isEqualTo(before);
  }

  @Test
  void aPoolerIsKnownByTheServersProcess() throws SQLException {
    try (Connection connection = connect();
        Connection direct = SharedPostgres.connect("postgres")) {
      assertThat(Pooler.isBetween(connection)).isTrue();
      assertThat(Pooler.isBetween(direct)).isFalse();
    }
  }
}
