package io.shardmark.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

final class PostgresSocketFactoryTest {
  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void blocksAgainAfterConnectingAndReadingWithTimeouts() throws IOException {
    try (ServerSocket server = listen();
        Socket socket = new PostgresSocketFactory(null).createSocket()) {
      socket.connect(server.getLocalSocketAddress(), 5_000);
      socket.setSoTimeout(1);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      socket.setSoTimeout(0);
      assertThat(socket.getChannel().isBlocking()).isTrue();
    }
  }

  @Test
  void carriesBytesBothWays() throws IOException {
    try (ServerSocket server = listen();
        Socket socket = connected(server);
        Socket accepted = server.accept()) {
      socket.getOutputStream().write(42);
      assertThat(accepted.getInputStream().read()).isEqualTo(42);
      accepted.getOutputStream().write(7);
      assertThat(socket.getInputStream().read()).isEqualTo(7);
    }
  }

  private static Socket connected(ServerSocket server) throws IOException {
    Socket socket = new PostgresSocketFactory(null).createSocket();
    socket.connect(server.getLocalSocketAddress());
    return socket;
  }
}
