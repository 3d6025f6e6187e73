package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.acid.AcidResult;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.acid.AcidVerdict;
import io.shardmark.driver.acid.Crash;
import io.shardmark.driver.benchmarks.Benchmarks;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb {@code acid} on PostgreSQL, and with faults that it must find. */
final class AcidTest {
  @TempDir private Path directory;
  private String database;

  @BeforeEach
  void load() throws SQLException {
    database = Postgres.loadedDatabase();
  }

  @AfterEach
  void drop() throws SQLException {
    Postgres.drop(database);
  }

  private Finished acid(String... keys) throws Exception {
    Map<String, String> properties = Postgres.properties(database);
    String[] words = new String[keys.length + 2];
    words[0] = "acid";
    words[1] = Workspace.PROPERTIES;
    System.arraycopy(keys, 0, words, 2, keys.length);
    return new Workspace(directory).properties(properties).run(words);
  }

  @Test
  void readCommittedPermitsThreePhenomena() throws Exception {
    String out = acid().succeeded().withoutTrace().out();
    assertThat(out)
        .contains("permitted  3.4.2.7", "permitted  3.4.2.8", "permitted  3.4.2.9")
        .contains("skipped    3.5", "31 conditions: 29 pass, 0 fail");
    assertThat(out.lines().filter(line -> line.startsWith("pass "))).hasSize(8);
  }

  @Test
  void repeatableReadKeepsAllOfClause3() throws Exception {
    String out = acid("isolation", "repeatable_read").succeeded().withoutTrace().out();
    assertThat(out).doesNotContain("permitted").contains("0 fail, 2 not applicable, 0 with errors");
    assertThat(out.lines().filter(line -> line.startsWith("pass "))).hasSize(11);
  }

  @Test
  void aCrashCommandThatCrashesNothingIsAnError() throws Exception {
    Finished finished =
        acid("acid.crash", "true", "acid.restart", "true", "acid.orders", "20").withoutTrace();
    assertThat(finished.status()).isEqualTo(1);
    assertThat(finished.out())
        .contains("ERROR      3.5      crash of acid.crash: nothing crashed: the server has run");
  }

  @Test
  void aCrashCommandThatFailsIsAnErrorWithItsStatus() throws Exception {
    Finished finished = acid("acid.crash", "exit 3", "acid.restart", "true", "acid.orders", "1");
    assertThat(finished.withoutTrace().out()).contains("acid.crash ended with status 3: exit 3");
  }

  @Test
  void anAcknowledgedOrderThatIsGoneIsFound() throws Exception {
    BenchmarkProperties properties =
        BenchmarkProperties.parse(
            Benchmarks.KEYS, Path.of("props"), "acid.orders=20\n", Postgres.properties(database));
    AcidTests tests = Benchmarks.of(properties).acidTests(properties.values()).orElseThrow();
    // Nothing is killed here, so that the server's start time says nothing.
    AcidTests.Target target =
        new AcidTests.Target(() -> Postgres.connect(database), DatabaseKind.POSTGRES, true);
    Path record = directory.resolve("orders.csv");
    AcidResult result = tests.durability(target, record, new LosesAnOrder(database, record));
    assertThat(result.verdict()).as(result.outcome()).isEqualTo(AcidVerdict.FAIL);
    assertThat(result.outcome()).matches("1 of \\d+ acknowledged orders are lost or not whole, .*");
  }

  /** A crash after which the lines of the first order that was recorded are gone. */
  private record LosesAnOrder(String database, Path record) implements Crash {
    @Override
    public String name() {
      return "a planted fault";
    }

    @Override
    public void crash() {
      // What was acknowledged before stays in the record.
    }

    @Override
    public void restart() throws IOException {
      String[] key = Files.readAllLines(record).get(1).split(",", -1);
      try {
        Postgres.execute(
            database,
            "DELETE FROM bmsql_order_line WHERE ol_o_id = %s AND ol_d_id = %s AND ol_w_id = %s"
                .formatted((Object[]) key));
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }
  }
}
