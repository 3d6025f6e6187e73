package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.shardmark.config.Secret;
import io.shardmark.servers.FreePort;
import io.shardmark.sql.embedded.EmbeddedServer;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * pgbench's transactions over four shards through two proxies, of which one is killed for good. The
 * run goes on through the other, which finishes what the dead one has left, and no money is made or
 * lost.
 */
final class TpcbUnderFaultsTest {
  private static final int SHARDS = 4;
  private static final int CONNECTIONS = 60;
  private static final String HISTORY = "SELECT count(*) FROM pgbench_history";

  @TempDir private Path directory;
  private Workspace workspace;
  private final List<EmbeddedServer> shards = new ArrayList<>();
  private final List<DriverProcess> proxies = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    workspace = new Workspace(directory);
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.add(
          EmbeddedServer.start(
              "embedded:postgres?fsync=off&memory=64MB",
              Postgres.USER,
              new Secret(Postgres.PASSWORD),
              "bench",
              CONNECTIONS,
              line -> {}));
    }
    for (int proxy = 0; proxy < 2; proxy++) {
      startProxy("proxy%d.yaml".formatted(proxy));
    }
  }

  @AfterEach
  void stop() {
    proxies.forEach(DriverProcess::close);
    shards.forEach(EmbeddedServer::close);
  }

  private void startProxy(String file) throws IOException, InterruptedException {
    int port = FreePort.find();
    StringBuilder config = new StringBuilder("listen: 127.0.0.1:%d%nshards:%n".formatted(port));
    for (int shard = 0; shard < SHARDS; shard++) {
      config.append(
          "  - {name: s%d, host: 127.0.0.1, port: %d, database: bench}%n"
              .formatted(shard + 1, shards.get(shard).port()));
    }
    config.append(
        "users:%n  - {name: %s, password: %s}%npool_size: 10%n"
            .formatted(Postgres.USER, Postgres.PASSWORD));
    Files.writeString(directory.resolve(file), config);
    List<String> command = Workspace.java(ShardedCluster.jar());
    command.add(file);
    DriverProcess proxy = workspace.startCommand(command, Map.of());
    proxies.add(proxy);
    ports.add(port);
    proxy.awaitOutput("127.0.0.1:" + port);
  }

  private String url(String hosts, String options) {
    return "jdbc:postgresql://" + hosts + "/bench" + options;
  }

  private String bothProxies() {
    String hosts = "127.0.0.1:%d,127.0.0.1:%d".formatted(ports.get(0), ports.get(1));
    return url(hosts, "?loadBalanceHosts=true&hostRecheckSeconds=1");
  }

  private void properties() throws IOException {
    Map<String, String> properties = Postgres.tpcbProperties(bothProxies());
    properties.put("scale", "2");
    // Each takes one of the proxies by chance: so many that the killed one has some.
    properties.put("terminals", "12");
    properties.put("retries", "20");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "30");
    workspace.properties(properties);
  }

  @Test
  void aKilledProxyMakesAndLosesNoMoney() throws Exception {
    properties();
    String through1 = url("127.0.0.1:" + ports.get(0), "");
    String through2 = url("127.0.0.1:" + ports.get(1), "");
    workspace.run("build", Workspace.PROPERTIES, "conn", through2).succeeded();
    await("the tables at the other proxy")
        .atMost(DriverProcess.PATIENCE)
        .until(() -> isKnown(through1));
    Finished run;
    try (DriverProcess driver = workspace.start("run", Workspace.PROPERTIES)) {
      awaitMore(through2, 100);
      proxies.get(0).signal("KILL");
      proxies.get(0).await();
      awaitMore(through2, 100);
      driver.signal("INT");
      run = driver.await();
    }
    assertThat(run.status()).as(run.all()).isEqualTo(130);
    ResultFiles result = workspace.result("result").assertWhole();
    assertThat(result.errors("")).as("the kill met transactions under way").isPositive();
    awaitNothingOpen();
    long acknowledged = result.committed("TPCB_LIKE");
    long unknown = result.errors("TPCB_LIKE") + result.outside();
    assertThat(ask(through2, HISTORY)).isBetween(acknowledged, acknowledged + unknown);
    assertThat(workspace.run("verify", Workspace.PROPERTIES).succeeded().out())
        .contains(" 0 fail,");
  }

  /** A proxy sees the tables that were made through another one after a while. */
  private static boolean isKnown(String url) {
    try {
      return ask(url, HISTORY) == 0;
    } catch (SQLException e) {
      return false;
    }
  }

  private static long ask(String url, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(url, Postgres.USER, Postgres.PASSWORD);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Waits until so many transactions more have committed. */
  private void awaitMore(String url, int transactions) throws SQLException {
    long wanted = ask(url, HISTORY) + transactions;
    await("growth of the history")
        .atMost(DriverProcess.PATIENCE)
        .until(() -> ask(url, HISTORY), rows -> rows >= wanted);
  }

  /** Waits until no shard has a transaction that is open or prepared. */
  private void awaitNothingOpen() {
    String open =
        "SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            + " AND xact_start IS NOT NULL AND pid <> pg_backend_pid())"
            + " + (SELECT count(*) FROM pg_prepared_xacts)";
    await("open transactions")
        .atMost(DriverProcess.PATIENCE)
        .until(
            () -> {
              long left = 0;
              for (EmbeddedServer shard : shards) {
                left += ask(shard.jdbcUrl("bench"), open);
              }
              return left == 0;
            });
  }
}
