package io.shardmark.driver.tpcb;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.ShardedVerifier;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.sql.shards.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The conditions after transactions, and after each kind of damage. */
final class TpcbConditionsTest {
  @SuppressWarnings("NullAway.Init") // set before each test
  private String database;

  @BeforeEach
  void create() throws SQLException {
    database = SharedPostgres.newDatabase();
    try (Connection connection = SharedPostgres.connect(database)) {
      SmallTpcb.create(connection);
    }
  }

  private void run(String transactions) throws SQLException {
    try (Connection connection = SharedPostgres.connect(database)) {
      connection.setAutoCommit(false);
      TransactionExecutor executor = new TpcbExecutor(connection, TpcbExecutor.Form.SEPARATE);
      TpcbTerminal terminal =
          new TpcbTerminal(
              SmallTpcb.SCALE, SmallTpcb.mix(transactions), List.of(), new SplittableRandom(17));
      for (int i = 0; i < 100; i++) {
        executor.execute(terminal.next());
      }
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = SharedPostgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static TpcbConditions conditions(String transactions) {
    return new TpcbConditions(SmallTpcb.SCALE, SmallTpcb.mix(transactions));
  }

  private List<ConditionResult> verify(String transactions)
      throws SQLException, InterruptedException {
    return new Verifier(() -> SharedPostgres.connect(database), DatabaseKind.POSTGRES, 2)
        .run(conditions(transactions))
        .results();
  }

  /** One shard that has everything: its setting is one that a plain server takes. */
  private List<ConditionResult> verifyAsShards(String transactions)
      throws SQLException, InterruptedException {
    return new ShardedVerifier(
            () -> SharedPostgres.connect(database), List.of(new Shard(0, "s1", "h", 1, "d")), 2)
        .run(conditions(transactions))
        .results();
  }

  private static List<String> failed(List<ConditionResult> results) {
    assertThat(results).allMatch(r -> r.verdict() == Verdict.PASS || r.verdict() == Verdict.FAIL);
    return results.stream()
        .filter(result -> result.verdict() == Verdict.FAIL)
        .map(result -> result.clause() + " " + result.sentence())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tpcb-like",
        "no-history",
        "simple-update",
        "tpcb-like, simple-update, select-only",
        "tpcb-like, no-history"
      })
  void holdAfterTheTransactionsOfTheProperties(String transactions) throws Exception {
    run(transactions);
    assertThat(failed(verify(transactions))).isEmpty();
    assertThat(failed(verifyAsShards(transactions))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UPDATE pgbench_branches SET bbalance = bbalance + 1 WHERE bid = 1 | balances the balances"
            + " of branches and of tellers",
        "UPDATE pgbench_tellers SET tbalance = tbalance + 1 WHERE tid = 1 | balances the balances"
            + " of tellers and of accounts",
        "UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = 1 | history the amounts in"
            + " the history have the sums of the balances of accounts",
        "UPDATE pgbench_accounts SET abalance = abalance + CASE aid WHEN 1 THEN 1 ELSE -1 END WHERE"
            + " aid < 3 | history the amounts in the history have the sums of the balances of"
            + " accounts",
        "UPDATE pgbench_branches SET bbalance = bbalance + CASE bid WHEN 1 THEN 1 ELSE -1 END |"
            + " history the amounts in the history have the sums of the balances of branches",
        "DELETE FROM pgbench_history | history the amounts in the history have the sums of the"
            + " balances of tellers",
        "UPDATE pgbench_accounts SET abalance = NULL WHERE aid = 7 | rows pgbench_accounts: the"
            + " branch of an id",
        "UPDATE pgbench_tellers SET bid = 1 WHERE tid = 20 | rows pgbench_tellers: the branch of an"
            + " id",
        "DELETE FROM pgbench_accounts WHERE aid = 9 | rows pgbench_accounts has the ids 1 to 200"
            + " (scale=2)",
        "UPDATE pgbench_tellers SET tid = 21 WHERE tid = 20 | rows pgbench_tellers has the ids 1 to"
            + " 20 (scale=2)"
      })
  void seeEachDamage(String damage, String condition) throws Exception {
    run("tpcb-like");
    execute(damage);
    assertThat(failed(verify("tpcb-like"))).anyMatch(failed -> failed.startsWith(condition));
    assertThat(failed(verifyAsShards("tpcb-like")))
        .anyMatch(failed -> failed.startsWith(condition));
  }

  @Test
  void aHistoryThatIsNotWrittenIsNotLookedAt() throws Exception {
    run("no-history");
    assertThat(failed(verify("tpcb-like")))
        .allMatch(failed -> failed.startsWith("history "))
        .hasSize(3);
  }
}
