package io.shardmark.oracle;

import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.run.Database;
import io.shardmark.loader.LoadException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.oracle.OracleContainer;

/** Tables, package, batch load, keys, history numbers, all profiles and verify on Oracle itself. */
final class OracleRoundTest {
  private static final String IMAGE = "gvenzl/oracle-free:23-slim-faststart";

  /** Held, because the JDK forgets the level of a logger that nobody holds. */
  private static final Logger CONTAINERS = Logger.getLogger("org.testcontainers");

  @TempDir private Path directory;

  @Test
  void buildsRunsVerifiesAndDestroys()
      throws SQLException, LoadException, IOException, InterruptedException {
    skipWithoutEngine();
    try (OracleContainer oracle = new OracleContainer(IMAGE)) {
      start(oracle);
      String connection =
          """
          db=oracle
          conn=%s
          user=%s
          password=%s
          """
              .formatted(oracle.getJdbcUrl(), oracle.getUsername(), oracle.getPassword());
      try (Database database =
          Database.open(
              DatabaseRound.properties(connection, StatementProfile.BENCHMARKSQL).connection(),
              8,
              OracleRoundTest::say)) {
        round(new DatabaseRound(connection, database, directory, System.out));
      }
    }
  }

  private static void round(DatabaseRound round)
      throws SQLException, LoadException, IOException, InterruptedException {
    round.build();
    round.assertCount("select count(*) from bmsql_stock", 100_000);
    round.assertCount("select max(hist_id) from bmsql_history", 30_000);
    round.assertCount("select count(*) from user_constraints where constraint_type = 'R'", 10);
    for (StatementProfile profile : StatementProfile.values()) {
      round.run(profile);
      round.verify();
    }
    round.assertCount("select count(*) - count(distinct hist_id) from bmsql_history", 0);
    round.destroy();
    round.assertCount("select count(*) from user_tables where table_name like 'BMSQL%'", 0);
    round.assertCount("select count(*) from user_objects where object_name like '%TPCCC%'", 0);
  }

  private static void skipWithoutEngine() {
    // Every way to reach an engine that fails is logged at length; one line is enough.
    CONTAINERS.setLevel(Level.OFF);
    boolean runs = DockerClientFactory.instance().isDockerAvailable();
    CONTAINERS.setLevel(Level.WARNING);
    if (!runs) {
      skip("no container engine runs here");
    }
  }

  private static void start(OracleContainer oracle) {
    try {
      oracle.start();
    } catch (ContainerFetchException e) {
      skip("the image %s cannot be had: %s".formatted(IMAGE, e.getMessage()));
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private static void skip(String reason) {
    System.err.println("OracleRoundTest skipped: " + reason);
    Assumptions.abort(reason);
  }
}
