package io.shardmark.driver.tpcc.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.servers.SharedPostgres;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.LoadState;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class PostgresVerifierTest extends VerifierContract {
  @SuppressWarnings("NullAway.Init") // set before the first test
  private static String database;

  @BeforeAll
  static void create() throws SQLException {
    database = SharedPostgres.newDatabase();
    try (Connection connection = SharedPostgres.connect(database)) {
      TinyDatabase.createTables(connection, "timestamp");
    }
  }

  /**
   * A run goes on meanwhile: what it commits after the first question is in none of the answers.
   */
  @Test
  void allConditionsSeeOneSnapshot() throws SQLException, InterruptedException {
    try (Connection connection = connect()) {
      TinyDatabase.reset(connection);
    }
    TpccConditions tpcc = new TpccConditions();
    Conditions whileARunGoesOn =
        new Conditions() {
          @Override
          public String table() {
            return tpcc.table();
          }

          @Override
          public List<Condition> all(DatabaseKind kind) {
            return tpcc.all(kind).subList(0, 10);
          }

          @Override
          public LoadState loadState(Connection connection) throws SQLException {
            LoadState state = tpcc.loadState(connection);
            try (Connection run = connect();
                Statement statement = run.createStatement()) {
              statement.execute("UPDATE bmsql_warehouse SET w_ytd = w_ytd + 1");
            }
            return state;
          }
        };
    Verifier.Findings found =
        new Verifier(this::connect, DatabaseKind.POSTGRES, 4).run(whileARunGoesOn);

    assertThat(found.results()).extracting(ConditionResult::verdict).containsOnly(Verdict.PASS);
    assertThat(found.oneSnapshot()).isTrue();
  }

  @Override
  Connection connect() throws SQLException {
    return SharedPostgres.connect(database);
  }

  @Override
  DatabaseKind kind() {
    return DatabaseKind.POSTGRES;
  }
}
