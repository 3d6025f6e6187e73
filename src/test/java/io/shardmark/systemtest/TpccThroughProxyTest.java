package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The published benchmark of a sharded cluster (Klustron against Oracle, 2023), step by step
 * through the proxy: its edited {@code tableCreates.sql} unchanged, the build without secondary
 * indexes and foreign keys, a run, and then all consistency conditions.
 */
final class TpccThroughProxyTest {
  private static final String EXTRA_HIST_ID =
      """
      select setval('bmsql_hist_id_seq', (select max(hist_id) from bmsql_history));
      alter table bmsql_history
        alter column hist_id set default nextval('bmsql_hist_id_seq');
      alter table bmsql_history add primary key (hist_id,h_c_w_id);
      """;

  /** As published with "Klustron vs. Oracle: TPCC Performance Comparison". */
  private static final String PUBLISHED =
      "proxy/src/test/resources/io/shardmark/proxy/routing/ddl/klustron-tableCreates.sql";

  @TempDir private Path directory;

  @Test
  void thePublishedStepsRunUnchanged() throws Exception {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
    Path creates = directory.resolve("sql.common/tableCreates.sql");
    Files.createDirectories(creates.getParent());
    Files.copy(Workspace.root().resolve(PUBLISHED), creates);
    replace("sql.common/indexCreates.sql", "-- the keys are there already\n");
    replace("sql.common/foreignKeys.sql", "-- as published: none\n");
    replace("sql.postgres/buildFinish.sql", "-- as published: none\n");
    replace("sql.postgres/extraHistID.sql", EXTRA_HIST_ID);
    try (ShardedCluster cluster = ShardedCluster.start(directory)) {
      cluster.client("psql", "-v", "ON_ERROR_STOP=1", "-f", creates.toString()).succeeded();
      Map<String, String> properties = Postgres.properties("postgres", cluster.url());
      properties.put("warehouses", "4");
      properties.put("terminals", "6");
      properties.put("runTxnsPerTerminal", "100");
      cluster.workspace().properties(properties);
      cluster.workspace().run("build", Workspace.PROPERTIES).succeeded();
      // Modulo 6, warehouses 1 to 3 hash to 1, 0, 1 and warehouse 4 to 3: both shards hold some.
      assertThat(cluster.askShards("SELECT count(*) FROM bmsql_warehouse")).doesNotContain("0");
      assertThat(cluster.askShards("SELECT count(*) FROM bmsql_item"))
          .isEqualTo(List.of("100000", "100000"));

      Finished run = cluster.workspace().run(Workspace.PROPERTIES).succeeded();

      assertThat(run.out()).containsPattern("Term-00, Transaction Count = 600\n");
      ResultFiles result = cluster.workspace().result("result").assertWhole();
      assertThat(result.errors("")).as(run.out()).isZero();
      cluster.workspace().run("verify", Workspace.PROPERTIES).succeeded();
      assertThat(cluster.askShards("SELECT count(*) FROM pg_prepared_xacts"))
          .containsExactly("0", "0");
    }
  }

  private void replace(String script, String text) throws IOException {
    Path file = directory.resolve(script);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
