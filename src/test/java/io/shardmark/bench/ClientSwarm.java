package io.shardmark.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Logs in many clients and leaves them idle, to weigh what an idle client costs a server or a
 * pooler: {@code ClientSwarm PORT CLIENTS USER DATABASE}. The server must trust the user. Prints
 * one line when all are in, and holds them until standard input ends.
 *
 * <p>Clients come from several loopback addresses, because one address has only some 28,000 ports.
 */
public final class ClientSwarm {
  private static final int PROTOCOL_3_0 = 196_608;
  private static final int LOGINS_AT_ONCE = 64;
  private static final int CLIENTS_PER_ADDRESS = 5_000;
  private static final byte READY_FOR_QUERY = 'Z';
  private static final byte ERROR_RESPONSE = 'E';

  private final int port;
  private final ByteBuffer startup;
  private final Selector selector;
  private final List<SocketChannel> clients = new ArrayList<>();
  private int loggedIn;

  private ClientSwarm(int port, String user, String database) throws IOException {
    this.port = port;
    startup = startupMessage(user, database);
    selector = Selector.open();
  }

  /** Logs in, reports, waits for the end of standard input. */
  public static void main(String[] args) throws IOException {
    if (args.length != 4) {
      System.err.println("usage: ClientSwarm PORT CLIENTS USER DATABASE");
      System.exit(2);
    }
    int count = Integer.parseInt(args[1]);
    ClientSwarm swarm = new ClientSwarm(Integer.parseInt(args[0]), args[2], args[3]);
    long start = System.nanoTime();
    swarm.logIn(count);
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("%d clients in %.2f s: %.0f logins/s%n", count, seconds, count / seconds);
    System.out.flush();
    while (System.in.read() >= 0) {
      // held until the caller closes the pipe
    }
    for (SocketChannel client : swarm.clients) {
      client.close();
    }
  }

  private static ByteBuffer startupMessage(String user, String database) {
    byte[] parameters =
        ("user\0" + user + "\0database\0" + database + "\0\0").getBytes(StandardCharsets.UTF_8);
    ByteBuffer message = ByteBuffer.allocate(8 + parameters.length);
    message.putInt(8 + parameters.length).putInt(PROTOCOL_3_0).put(parameters).flip();
    return message;
  }

  private void logIn(int count) throws IOException {
    while (loggedIn < count) {
      while (clients.size() < count && clients.size() - loggedIn < LOGINS_AT_ONCE) {
        open();
      }
      selector.select();
      Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
      while (ready.hasNext()) {
        SelectionKey key = ready.next();
        ready.remove();
        if (key.isConnectable()) {
          finishConnect(key);
        } else {
          read(key);
        }
      }
    }
  }

  private void open() throws IOException {
    SocketChannel client = SocketChannel.open();
    client.configureBlocking(false);
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    byte lastByte = (byte) (1 + clients.size() / CLIENTS_PER_ADDRESS);
    client.bind(
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, lastByte}), 0));
    client.register(selector, SelectionKey.OP_CONNECT, new Login());
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    clients.add(client);
  }

  private void finishConnect(SelectionKey key) throws IOException {
    SocketChannel client = (SocketChannel) key.channel();
    client.finishConnect();
    // A message of some 50 bytes always fits an empty socket buffer.
    client.write(startup.duplicate());
    key.interestOps(SelectionKey.OP_READ);
  }

  private void read(SelectionKey key) throws IOException {
    Login login = (Login) key.attachment();
    if (((SocketChannel) key.channel()).read(login.received) < 0) {
      throw new IOException("the server closed client " + loggedIn);
    }
    if (login.isReady()) {
      loggedIn++;
      key.cancel();
    }
  }

  /** What one client has received so far. */
  private static final class Login {
    private final ByteBuffer received = ByteBuffer.allocate(4096);
    private int at;

    boolean isReady() throws IOException {
      while (received.position() - at >= 5) {
        byte type = received.get(at);
        int end = at + 1 + received.getInt(at + 1);
        if (end > received.position()) {
          return false;
        }
        if (type == ERROR_RESPONSE) {
          throw new IOException(
              new String(received.array(), at + 5, end - at - 5, StandardCharsets.UTF_8)
                  .replace('\0', ' '));
        }
        if (type == READY_FOR_QUERY) {
          return true;
        }
        at = end;
      }
      return false;
    }
  }
}
