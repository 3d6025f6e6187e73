package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.servers.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proxy is there before its shards are: who watches over it is told what is so. */
final class LateShardsTest {
  @TempDir private Path directory;
  private Cluster cluster;
  private int metricsPort;

  @BeforeEach
  void cutAllLinks() throws Exception {
    cluster = new Cluster(new Trap());
    cluster.link(0).cut();
    cluster.link(1).cut();
    metricsPort = FreePort.find();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + metricsPort + path);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(Await.LIMIT_SECONDS)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private int status(String path) throws IOException, InterruptedException {
    try {
      return get(path).statusCode();
    } catch (ConnectException e) {
      return -1; // the process has only begun
    }
  }

  @Test
  void isAliveAndNotReadyUntilItListens() throws Exception {
    String config = cluster.proxyConfig() + "metrics: 127.0.0.1:" + metricsPort + "\n";
    int port = FreePort.find();
    try (ProxyProcess proxy = ProxyProcess.begin(directory, port, config)) {
      Await.until("it waits", () -> proxy.logTail().contains("no shard answers"));
      assertThat(status("/health")).isEqualTo(200);
      assertThat(get("/ready").statusCode()).isEqualTo(503);
      assertThat(get("/ready").body()).isEqualTo("the proxy is starting\n");
      assertThat(proxy.isListening()).isFalse();

      proxy.rewrite(config + "databases: [renamed]\n");
      proxy.signal("HUP");
      Await.until("it has read the file", () -> proxy.logTail().contains("configuration reloaded"));

      cluster.link(0).restore();
      cluster.link(1).restore();
      Await.until("it is ready", () -> status("/ready") == 200);
      assertThat(proxy.isListening()).isTrue();
      String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/renamed";
      try (Connection connection = DriverManager.getConnection(url, "bench", "bench")) {
        assertThat(connection.isValid(Await.LIMIT_SECONDS)).isTrue();
      }
    }
  }
}
