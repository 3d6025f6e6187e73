package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A shard's host name leads to another address, as after a failover. */
final class ShardMovesTest {
  /** The other server: the same one by another address, which counts who comes. */
  private static final class OtherAddress implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket();
    private final AtomicInteger connections = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    OtherAddress() throws IOException {
      socket.bind(new InetSocketAddress("127.0.0.2", RunningProxy.serverPort()));
      threads.execute(this::accept);
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          Socket from = socket.accept();
          connections.incrementAndGet();
          Socket to = new Socket(InetAddress.getLoopbackAddress(), RunningProxy.serverPort());
          threads.execute(() -> pass(from, to));
          threads.execute(() -> pass(to, from));
        } catch (IOException e) {
          return; // closed
        }
      }
    }

    private static void pass(Socket from, Socket to) {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        in.transferTo(out);
      } catch (IOException e) {
        // One of them has ended, and the other ends with it.
        return;
      }
    }

    int connections() {
      return connections.get();
    }

    @Override
    public void close() throws IOException {
      socket.close();
      threads.shutdownNow();
    }
  }

  private static int count(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("select count(*) from moving")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  @Test
  void sessionsAndCatalogGoToTheSameServer() throws Exception {
    AtomicReference<InetAddress> where = new AtomicReference<>(InetAddress.getLoopbackAddress());
    try (RunningProxy proxy = RunningProxy.startAt(host -> List.of(where.get()), 2);
        OtherAddress other = new OtherAddress();
        Connection client = proxy.connect();
        Statement statement = client.createStatement();
        Connection inTransaction = proxy.connect();
        Statement ofTransaction = inTransaction.createStatement()) {
      proxy.makeOnShards("create table moving (a int)");
      assertThat(count(statement)).isZero();
      inTransaction.setAutoCommit(false);
      ofTransaction.execute("insert into moving values (1)");
      where.set(InetAddress.getByAddress(new byte[] {127, 0, 0, 2}));
      proxy.hosts().look();
      assertThat(other.connections()).isZero();

      proxy.refresh();
      int ofCatalog = other.connections();
      assertThat(ofCatalog).as("connections of the catalog, one for each shard").isEqualTo(2);
      assertThat(count(statement)).isZero();
      assertThat(other.connections()).as("and a session's").isGreaterThan(ofCatalog);

      // What has begun ends where it began.
      inTransaction.commit();
      assertThat(count(statement)).isEqualTo(1);
    }
  }
}
