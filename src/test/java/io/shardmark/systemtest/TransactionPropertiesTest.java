package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.acid.Crash;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verb {@code acid} on PostgreSQL, and with faults that it must find. */
final class TransactionPropertiesTest {
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

  private AcidTests acidTests() throws Exception {
    BenchmarkProperties properties =
        BenchmarkProperties.parse(
            Benchmarks.KEYS, Path.of("props"), "acid.orders=20\n", Postgres.properties(database));
    return Benchmarks.of(properties).acidTests(properties.values()).orElseThrow();
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
  void aRunCanEndWithTheTestsAndLaterOnesReplaceThem() throws Exception {
    Map<String, String> properties = Postgres.properties(database);
    Finished run =
        new Workspace(directory)
            .properties(properties)
            .run("run", Workspace.PROPERTIES, "acid", "true", "failOn", "acid!=pass");
    assertThat(run.withoutTrace().status()).as(run.err()).isEqualTo(4);
    assertThat(run.out()).contains("acid skipped (acid!=pass): BROKEN");
    assertThat(verdicts())
        .containsEntry("3.2.2.1", AcidVerdict.PASS)
        .containsEntry("3.3.2", AcidVerdict.PASS)
        .containsEntry("3.4.2.8", AcidVerdict.PERMITTED)
        .containsEntry("3.5", AcidVerdict.SKIPPED);
    acid("isolation", "repeatable_read", "--result", "result").succeeded();
    assertThat(verdicts()).containsEntry("3.4.2.8", AcidVerdict.PASS).hasSize(13);
  }

  private Map<String, AcidVerdict> verdicts() throws IOException {
    Map<String, AcidVerdict> verdicts = new TreeMap<>();
    SummaryFile.read(directory.resolve("result"), new ArrayList<>())
        .orElseThrow()
        .acid()
        .forEach(test -> verdicts.put(test.clause(), test.verdict()));
    return verdicts;
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
    AcidTests tests = acidTests();
    // Nothing is killed here, so that the server's start time says nothing.
    AcidTests.Target target =
        new AcidTests.Target(() -> Postgres.connect(database), DatabaseKind.POSTGRES, true);
    Path record = directory.resolve("orders.csv");
    long before = orders();
    AcidResult result = tests.durability(target, record, new LosesAnOrder(database, record));
    assertThat(result.verdict()).as(result.outcome()).isEqualTo(AcidVerdict.FAIL);
    assertThat(Files.readAllLines(record))
        .as("all that were acknowledged are recorded, under a head")
        .hasSize((int) (orders() - before) + 1);
    assertThat(result.outcome()).matches("1 of \\d+ acknowledged orders are lost or not whole, .*");
  }

  private long orders() throws SQLException {
    try (Connection connection = Postgres.connect(database)) {
      return FirstValue.number(connection, "SELECT count(*) FROM bmsql_oorder");
    }
  }

  /**
   * Each session's first New-Order fails. One that was aborted for another transaction may be
   * repeated; where any other error ends it, nothing was tested.
   */
  @ParameterizedTest
  @CsvSource({"40001, PERMITTED", "57014, ERROR", "42P01, ERROR"})
  void onlyWhatTheServerAbortsIsRepeated(String error, AcidVerdict phantom) throws Exception {
    Postgres.execute(
        database,
        """
        CREATE SEQUENCE fault;
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM currval('fault');
          RETURN NEW;
        EXCEPTION WHEN object_not_in_prerequisite_state THEN
          PERFORM nextval('fault');
          RAISE EXCEPTION SQLSTATE '%s';
        END $$;
        CREATE TRIGGER fail BEFORE INSERT ON bmsql_new_order FOR EACH ROW EXECUTE FUNCTION fail();
        """
            .formatted(error));
    Map<String, AcidVerdict> verdicts = new TreeMap<>();
    List<String> outcomes = new ArrayList<>();
    acidTests()
        .run(
            new AcidTests.Target(() -> Postgres.connect(database), DatabaseKind.POSTGRES, false),
            result -> {
              verdicts.put(result.clause(), result.verdict());
              outcomes.add(result.outcome());
            });
    assertThat(verdicts)
        .as(outcomes.toString())
        .containsEntry("3.4.2.1", AcidVerdict.ERROR)
        .containsEntry("3.4.2.8", phantom)
        .containsEntry("3.4.2.9", phantom);
    if (phantom == AcidVerdict.PERMITTED) {
      assertThat(outcomes).anyMatch(line -> line.contains("was aborted (40001) and repeated"));
    } else {
      assertThat(outcomes).anyMatch(line -> line.startsWith("the second transaction failed: "));
    }
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
