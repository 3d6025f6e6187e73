package io.shardmark.config.proxy;

import java.net.InetSocketAddress;

/**
 * Where to listen.
 *
 * @param host name or address; {@code *} in the file is 0.0.0.0 here
 * @param port 0 to 65535; 0 lets the system choose
 */
public record Endpoint(String host, int port) {
  /** Resolves the host: may block on DNS. */
  public InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
