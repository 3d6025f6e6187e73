package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.Transport;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.TestCertificate;
import io.shardmark.proxy.TwoShards;
import io.shardmark.proxy.pool.ServerConnector;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.shards.ShardHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins to a real server behind TLS. */
@NullUnmarked // fields are set before all tests
final class TlsToShardsTest {
  private static final String LOGGED_IN = "logged in";

  @TempDir private static Path directory;
  private static TestCertificate own;
  private static TestCertificate strange;
  private static TwoShards shards;
  private static TlsRelay relay;
  private static MultiThreadIoEventLoopGroup loops;
  private static ExecutorService background;

  @BeforeAll
  static void start() throws Exception {
    own = TestCertificate.create(Files.createDirectory(directory.resolve("own")));
    strange = TestCertificate.create(Files.createDirectory(directory.resolve("strange")));
    shards = TwoShards.create();
    relay = new TlsRelay(own, shards.port());
    loops =
        new MultiThreadIoEventLoopGroup(
            1, SocketTransport.choose(Transport.NIO).handlers(java.time.Duration.ZERO));
    background = Executors.newSingleThreadExecutor();
  }

  @AfterAll
  static void stop() throws IOException {
    relay.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    background.shutdownNow();
  }

  /** Logs in to the port; what came of it. */
  private static String login(int port, String tls) throws Exception {
    Path file = directory.resolve("proxy.yaml");
    Files.writeString(
        file,
        """
        shards:
          - {name: s1, host: 127.0.0.1, port: %d, database: postgres, tls: %s}
        users:
          - {name: postgres, password: postgres}
        """
            .formatted(port, tls));
    ProxyConfig config = ProxyConfig.read(file);
    CompletableFuture<String> outcome = new CompletableFuture<>();
    new ShardConnector(
            SocketTransport.NIO,
            () -> config,
            new ShardHosts(() -> config),
            shard -> "",
            background)
        .connect(
            (EventLoop) loops.next(),
            0,
            "postgres",
            new ServerConnector.ConnectorListener() {
              @Override
              public void connected(Channel channel, LoggedInServer server) {
                var unused = channel.close();
                outcome.complete(LOGGED_IN);
              }

              @Override
              public void failed(ErrorFields error) {
                outcome.complete(error.sqlState().code() + " " + error.message());
              }
            });
    return Await.result(outcome);
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify_ca", "verify_full"})
  void verifiesTheServer(String mode) throws Exception {
    assertThat(login(relay.port(), "{mode: %s, ca: %s}".formatted(mode, own.certificate())))
        .isEqualTo(LOGGED_IN);
    assertThat(login(relay.port(), "{mode: %s, ca: %s}".formatted(mode, strange.certificate())))
        .startsWith("08006 ")
        .contains("TLS handshake failed");
  }

  @Test
  void requireEncryptsWithoutVerifying() throws Exception {
    assertThat(login(relay.port(), "require")).isEqualTo(LOGGED_IN);
  }

  @Test
  void neverFallsBackToClearText() throws Exception {
    assertThat(login(shards.port(), "disable")).isEqualTo(LOGGED_IN);
    assertThat(login(shards.port(), "require")).isEqualTo("08006 the server does not speak TLS");
  }
}
