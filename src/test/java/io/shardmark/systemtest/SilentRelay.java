package io.shardmark.systemtest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * A link to a server of this machine that can fall silent: it then forwards nothing more and keeps
 * all its sockets open, as a cut network or a frozen host does.
 */
final class SilentRelay implements AutoCloseable {
  private final int target;
  private final ServerSocket acceptor;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean silent;

  private SilentRelay(int target) throws IOException {
    this.target = target;
    acceptor = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
  }

  static SilentRelay to(int port) throws IOException {
    SilentRelay relay = new SilentRelay(port);
    start(relay::accept);
    return relay;
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "silent-relay");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return acceptor.getLocalPort();
  }

  void fallSilent() {
    silent = true;
  }

  private void accept() {
    while (!acceptor.isClosed()) {
      try {
        Socket client = acceptor.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        sockets.add(client);
        sockets.add(server);
        start(() -> forward(client, server));
        start(() -> forward(server, client));
      } catch (IOException e) {
        // Closed, or the server is away: the client sees the end of its stream.
      }
    }
  }

  private void forward(Socket from, Socket to) {
    byte[] buffer = new byte[16384];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int length = in.read(buffer);
      while (length >= 0) {
        if (silent) {
          closed.await();
        }
        out.write(buffer, 0, length);
        length = in.read(buffer);
      }
    } catch (IOException e) {
      // One side has gone; so does the other.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(from);
      close(to);
    }
  }

  private void close(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // Nobody uses it any more.
    }
  }

  @Override
  public void close() throws IOException {
    acceptor.close();
    sockets.forEach(this::close);
    closed.countDown();
  }
}
