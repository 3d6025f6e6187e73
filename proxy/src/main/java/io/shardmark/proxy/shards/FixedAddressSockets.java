package io.shardmark.proxy.shards;

import io.shardmark.sql.jdbc.UnixSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import javax.net.SocketFactory;

/**
 * Sockets that connect to one address, whichever is asked for: JDBC resolves the host itself, and
 * still needs its name to check the server's certificate. Made by the JDBC driver, by name, which
 * calls {@link #createSocket()} only.
 */
public final class FixedAddressSockets extends SocketFactory {
  private final SocketAddress address;

  /**
   * @param argument what {@link #argument} made of the address
   */
  public FixedAddressSockets(String argument) throws UnknownHostException {
    int colon = argument.lastIndexOf(':');
    this.address =
        argument.startsWith("/")
            ? UnixDomainSocketAddress.of(argument)
            : new InetSocketAddress( // a literal address: nothing is looked up
                InetAddress.getByName(argument.substring(0, colon)),
                Integer.parseInt(argument.substring(colon + 1)));
  }

  /** The constructor's argument for an address that is resolved. */
  public static String argument(SocketAddress address) {
    return address instanceof InetSocketAddress internet
        ? internet.getAddress().getHostAddress() + ":" + internet.getPort()
        : address.toString();
  }

  @Override
  public Socket createSocket() throws IOException {
    if (address instanceof UnixDomainSocketAddress unix) {
      return new UnixSocket(unix.getPath());
    }
    return new Socket() {
      @Override
      public void connect(SocketAddress unused, int timeoutMillis) throws IOException {
        super.connect(address, timeoutMillis);
      }
    };
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return connected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return connected();
  }

  private Socket connected() throws IOException {
    Socket socket = createSocket();
    socket.connect(address, 0);
    return socket;
  }
}
