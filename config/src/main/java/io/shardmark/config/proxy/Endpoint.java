package io.shardmark.config.proxy;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where to listen, or where a server listens.
 *
 * @param host name or address; {@code *} in the file is 0.0.0.0 here. A server's may be the
 *     absolute path of the directory of its Unix-domain socket
 * @param port 0 to 65535; 0 lets the system choose
 */
public record Endpoint(String host, int port) {
  /** Resolves the host: may block on DNS. */
  public InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  /** The server's Unix-domain socket, if the host is a directory. */
  public Optional<Path> socket() {
    return host.startsWith("/")
        ? Optional.of(ShardConfig.socketIn(Path.of(host), port))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
