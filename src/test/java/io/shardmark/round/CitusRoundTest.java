package io.shardmark.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.run.Database;
import io.shardmark.loader.LoadException;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.Sharding;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * Tables, load, keys, all profiles and verify on a coordinator with two workers. With the system
 * property {@code shardmark.citus}, the JDBC URL of an empty database of a cluster that is there,
 * user and password included, it runs on that one.
 */
final class CitusRoundTest {
  private static final String IMAGE = "citusdata/citus:13.0";
  private static final int PORT = 5432;
  private static final List<String> WORKERS = List.of("worker1", "worker2");

  @TempDir private Path directory;

  @Test
  void buildsRunsVerifiesAndDestroys()
      throws SQLException, LoadException, IOException, InterruptedException {
    String given = System.getProperty("shardmark.citus");
    if (given != null) {
      round(given);
      return;
    }
    Containers.requireEngine();
    List<GenericContainer<?>> nodes = new ArrayList<>();
    try (Network network = Network.newNetwork()) {
      for (String worker : WORKERS) {
        nodes.add(start(network, worker));
      }
      GenericContainer<?> coordinator = start(network, "coordinator");
      nodes.add(coordinator);
      String url =
          "jdbc:postgresql://%s:%d/postgres?user=postgres&password=postgres"
              .formatted(coordinator.getHost(), coordinator.getMappedPort(PORT));
      join(url);
      round(url);
    } finally {
      nodes.forEach(GenericContainer::stop);
    }
  }

  private static GenericContainer<?> start(Network network, String name) {
    GenericContainer<?> node =
        new GenericContainer<>(IMAGE)
            .withNetwork(network)
            .withNetworkAliases(name)
            .withExposedPorts(PORT)
            .withEnv("POSTGRES_PASSWORD", "postgres")
            .withEnv("POSTGRES_HOST_AUTH_METHOD", "trust")
            .withCommand(
                "postgres", "-c", "max_prepared_transactions=100", "-c", "wal_level=logical")
            .waitingFor(
                // Once before its own restart, once after it.
                Wait.forLogMessage(".*database system is ready to accept connections.*", 2)
                    .withStartupTimeout(Duration.ofMinutes(3)));
    Containers.start(node, IMAGE);
    return node;
  }

  private static void join(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT citus_set_coordinator_host('coordinator', %d)".formatted(PORT));
      for (String worker : WORKERS) {
        statement.execute("SELECT citus_add_node('%s', %d)".formatted(worker, PORT));
      }
    }
  }

  private void round(String url)
      throws SQLException, LoadException, IOException, InterruptedException {
    // The URL's user and password go before those of the keys.
    String connection =
        """
        db=postgres
        driver=org.postgresql.Driver
        conn=%s
        user=postgres
        password=postgres
        warehouses=3
        retries=20
        """
            .formatted(url);
    PrintStream out = System.out;
    try (Database database =
        Database.open(
            DatabaseRound.properties(connection, StatementProfile.BENCHMARKSQL).connection(),
            8,
            out::println)) {
      round(new DatabaseRound(connection, database, directory, out), database);
    }
  }

  private static void round(DatabaseRound round, Database database)
      throws SQLException, LoadException, IOException, InterruptedException {
    round.build();
    ShardMap map = database.shardMap().orElseThrow();
    assertThat(map.sharding()).isEqualTo(Sharding.CITUS);
    assertThat(map.shards()).hasSizeGreaterThan(1);
    assertThat(map.shardsOf("bmsql_warehouse", 3).orElseThrow())
        .as("dealt out to two workers")
        .contains(0, 1);
    round.assertCount("select count(*) from bmsql_stock", 300_000);
    round.assertCount("select max(hist_id) from bmsql_history", 90_000);
    for (StatementProfile profile : StatementProfile.values()) {
      round.run(profile);
      round.verify();
    }
    round.assertCount("select count(*) - count(distinct hist_id) from bmsql_history", 0);
    round.destroy();
    round.assertCount("select count(*) from pg_tables where tablename like 'bmsql%'", 0);
  }
}
