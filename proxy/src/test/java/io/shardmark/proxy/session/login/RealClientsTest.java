package io.shardmark.proxy.session.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.shardmark.config.proxy.ClientTls;
import io.shardmark.proxy.TestCertificate;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.LeakCheck;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** pgjdbc and psql log in over loopback. */
@ExtendWith(LeakCheck.class)
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
@NullUnmarked // fields are set before all tests
class RealClientsTest {
  private static final String PASSWORD = "größer 1,=";
  private static final Path PSQL = Path.of("/usr/bin/psql");

  @TempDir static Path directory;
  private static EventLoopGroup loops;
  private static Channel server;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    TestCertificate pem = TestCertificate.create(directory);
    Credential credential = Credential.ofPassword(PASSWORD, new SecureRandom());
    ClientLoginConfig config =
        new ClientLoginConfig(
            user -> user.equals("bench") ? credential : null,
            Duration.ofSeconds(30),
            TlsForClients.create(
                new ClientTls(
                    pem.certificate(), pem.key(), Optional.empty(), ClientTls.Policy.ALLOW)),
            ClientTls.Policy.ALLOW);
    loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new ClientLogin(config, new Sessions()));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
    port = ((InetSocketAddress) server.localAddress()).getPort();
  }

  @AfterAll
  static void stop() throws InterruptedException {
    server.close().sync();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  private static final class Sessions implements ClientLogin.ClientLoginListener {
    @Override
    public void onAuthenticated(Channel channel, AuthenticatedClient client) {
      String answer =
          client.user() + " " + client.database() + " " + client.version() + " " + tls(channel);
      channel.pipeline().addLast(new OneRowSession(answer));
      ByteBuf out = channel.alloc().buffer();
      BackendMessages.parameterStatus(out, "server_version", "18.0");
      BackendMessages.parameterStatus(out, "client_encoding", "UTF8");
      BackendMessages.parameterStatus(out, "DateStyle", "ISO, MDY");
      BackendMessages.parameterStatus(out, "integer_datetimes", "on");
      BackendMessages.parameterStatus(out, "standard_conforming_strings", "on");
      BackendMessages.backendKeyData(out, 1, new byte[4]);
      BackendMessages.readyForQuery(out, TransactionStatus.IDLE);
      channel.writeAndFlush(out);
    }

    private static String tls(Channel channel) {
      return channel.pipeline().get("tls") == null ? "clear" : "tls";
    }

    @Override
    public void onCancel(Channel channel, CancelKey key) {
      channel.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sslmode=disable",
        "sslmode=prefer",
        "sslmode=require",
        "sslmode=require&sslNegotiation=direct",
        "gssEncMode=prefer&sslmode=disable"
      })
  void pgjdbcLogsIn(String options) throws SQLException {
    try (Connection connection = connect(options, PASSWORD);
        ResultSet rows = connection.createStatement().executeQuery("SELECT 1")) {
      assertThat(rows.next()).isTrue();
      String expected = options.contains("disable") ? "clear" : "tls";
      assertThat(rows.getString(1)).isEqualTo("bench db 3.0 " + expected);
    }
  }

  @Test
  void pgjdbcIsToldThatThePasswordIsWrong() {
    assertThatThrownBy(() -> connect("sslmode=disable", "wrong").close())
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"))
        .hasMessageContaining("password authentication failed for user \"bench\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"disable", "prefer", "require"})
  void psqlLogsIn(String sslmode) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(PSQL), "needs psql");
    String expected = sslmode.equals("disable") ? "clear" : "tls";
    assertThat(psql(PASSWORD, sslmode)).startsWith("bench db 3.").endsWith(expected);
  }

  @Test
  void psqlIsToldThatThePasswordIsWrong() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(PSQL), "needs psql");
    assertThat(psql("wrong", "disable"))
        .contains("FATAL:  password authentication failed for user \"bench\"");
  }

  private static Connection connect(String options, String password) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/db?" + options, "bench", password);
  }

  private static String psql(String password, String sslmode)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                PSQL.toString(),
                "-X",
                "-A",
                "-t",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-U",
                "bench",
                "-d",
                "db",
                "-c",
                "SELECT 1"));
    builder.environment().put("PGPASSWORD", password);
    builder.environment().put("PGSSLMODE", sslmode);
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    process.waitFor();
    return output;
  }
}
