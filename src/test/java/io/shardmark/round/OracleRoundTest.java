package io.shardmark.round;

import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.run.Database;
import io.shardmark.loader.LoadException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.oracle.OracleContainer;

/** Tables, package, batch load, keys, history numbers, all profiles and verify on Oracle itself. */
final class OracleRoundTest {
  private static final String IMAGE = "gvenzl/oracle-free:23-slim-faststart";

  @TempDir private Path directory;

  @Test
  void buildsRunsVerifiesAndDestroys()
      throws SQLException, LoadException, IOException, InterruptedException {
    Containers.requireEngine();
    try (OracleContainer oracle = new OracleContainer(IMAGE)) {
      Containers.start(oracle, IMAGE);
      String connection =
          """
          db=oracle
          conn=%s
          user=%s
          password=%s
          warehouses=1
          """
              .formatted(oracle.getJdbcUrl(), oracle.getUsername(), oracle.getPassword());
      PrintStream out = System.out;
      try (Database database =
          Database.open(
              DatabaseRound.properties(connection, StatementProfile.BENCHMARKSQL).connection(),
              8,
              out::println)) {
        round(new DatabaseRound(connection, database, directory, out));
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
}
