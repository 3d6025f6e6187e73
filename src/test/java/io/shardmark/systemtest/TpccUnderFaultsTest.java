package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.DebianPostgres;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The proxy and each shard are killed while TPC-C runs through them, mostly over both shards. The
 * run goes on, and afterwards nothing acknowledged is missing, nothing is half there, and all
 * consistency conditions hold over the whole database.
 */
final class TpccUnderFaultsTest {
  /** Every district's first free order number after a load (TPC-C 4.3.3.1). */
  private static final int FIRST_ORDER = 3001;

  private static final int DISTRICTS = 20;

  @TempDir private Path directory;

  @Test
  void nothingAcknowledgedIsLostAndNothingIsHalfThere() throws Exception {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
    try (ShardedCluster cluster = ShardedCluster.start(directory)) {
      cluster.workspace().properties(properties(cluster.url()));
      cluster.workspace().run("build", Workspace.PROPERTIES).succeeded();
      assertThat(orders(cluster)).isZero();
      assertThat(cluster.askShards("SELECT count(*) FROM bmsql_warehouse"))
          .as("a warehouse on each shard")
          .containsExactly("1", "1");

      Finished run;
      try (DriverProcess driver = cluster.workspace().start("run", Workspace.PROPERTIES)) {
        driver.awaitOutput("Running Average");
        cluster.killAndRestartProxy();
        awaitOrders(cluster);
        for (int shard = 0; shard < 2; shard++) {
          cluster.killAndRestartShard(shard);
          awaitOrders(cluster);
        }
        driver.signal("INT");
        run = driver.await();
      }

      assertThat(run.status()).as(run.all()).isEqualTo(130);
      ResultFiles result = cluster.workspace().result("result").assertWhole();
      // Each fault met transactions under way: the kills did happen in the middle of the load.
      assertThat(result.errors("")).isGreaterThanOrEqualTo(3);
      cluster.awaitNothingPrepared();
      long acknowledged = result.committed("NEW_ORDER");
      long unknown = result.errors("NEW_ORDER") + result.outside();
      assertThat(orders(cluster)).isBetween(acknowledged, acknowledged + unknown);
      cluster.workspace().run("verify", Workspace.PROPERTIES).succeeded();
    }
  }

  private static Map<String, String> properties(String url) {
    Map<String, String> properties = Postgres.properties("postgres", url);
    properties.put("warehouses", "2");
    properties.put("terminals", "6");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "30");
    properties.put("newOrderRemotePercent", "20");
    properties.put("paymentRemotePercent", "60");
    return properties;
  }

  private static long orders(ShardedCluster cluster) throws SQLException {
    String sum = cluster.ask("SELECT sum(d_next_o_id) FROM bmsql_district");
    return Long.parseLong(sum) - (long) DISTRICTS * FIRST_ORDER;
  }

  /** Waits until transactions commit again on both shards. */
  private static void awaitOrders(ShardedCluster cluster) throws Exception {
    for (int warehouse = 1; warehouse <= 2; warehouse++) {
      String count = "SELECT sum(d_next_o_id) FROM bmsql_district WHERE d_w_id = " + warehouse;
      cluster.awaitMore(count);
    }
  }
}
