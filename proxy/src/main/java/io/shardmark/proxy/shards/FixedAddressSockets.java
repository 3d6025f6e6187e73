package io.shardmark.proxy.shards;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import javax.net.SocketFactory;

/**
 * Sockets that connect to one address, whichever is asked for: JDBC resolves the host by itself,
 * and still needs its name to check the server's certificate. Made by the JDBC driver, by name.
 */
public final class FixedAddressSockets extends SocketFactory {
  private final InetSocketAddress address;

  /**
   * @param argument what {@link #argument} made of the address
   */
  public FixedAddressSockets(String argument) throws UnknownHostException {
    int colon = argument.lastIndexOf(':');
    // A literal address: nothing is looked up.
    this.address =
        new InetSocketAddress(
            InetAddress.getByName(argument.substring(0, colon)),
            Integer.parseInt(argument.substring(colon + 1)));
  }

  /** The constructor's argument for an address that is resolved. */
  public static String argument(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  @Override
  public Socket createSocket() {
    return new Socket() {
      @Override
      public void connect(SocketAddress unused, int timeoutMillis) throws IOException {
        super.connect(address, timeoutMillis);
      }
    };
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return new Socket(address.getAddress(), address.getPort());
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return new Socket(address.getAddress(), address.getPort(), localHost, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return new Socket(address.getAddress(), address.getPort());
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return new Socket(address.getAddress(), address.getPort(), localAddress, localPort);
  }
}
