package io.shardmark.sql.jdbc;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URLDecoder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.SocketFactory;

/**
 * Sockets that reach a PostgreSQL server of this machine by a file. pgjdbc makes a factory by name
 * (its properties {@code socketFactory} and {@code socketFactoryArg}); host and port that it asks
 * for mean nothing then.
 */
public final class UnixSocketFactory extends SocketFactory {
  /** Of a JDBC URL: the path of the socket. */
  static final String OPTION = "unixSocket";

  private final Path path;

  /** For pgjdbc. */
  public UnixSocketFactory(String path) {
    this.path = Path.of(path);
  }

  /**
   * The path that a JDBC URL names with {@code unixSocket=PATH}.
   *
   * @throws ConfigException if no socket can be there
   */
  public static Optional<String> path(String url) {
    int options = url.indexOf('?');
    if (options < 0) {
      return Optional.empty();
    }
    for (String option : url.substring(options + 1).split("&", -1)) {
      if (option.startsWith(OPTION + "=")) {
        String path =
            URLDecoder.decode(
                option.substring(OPTION.length() + 1).replace("+", "%2B"), StandardCharsets.UTF_8);
        check(path);
        return Optional.of(path);
      }
    }
    return Optional.empty();
  }

  private static void check(String path) {
    if (path.isEmpty() || Files.isDirectory(Path.of(path)) || !Files.exists(Path.of(path))) {
      throw new ConfigException(
          "conn: option %s is \"%s\", where there is no socket; expected the file of a running server's, such as /run/postgresql/.s.PGSQL.5432"
              .formatted(OPTION, path));
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.isOpen();
    } catch (IOException | UnsupportedOperationException e) {
      throw new ConfigException(
          "conn: option %s: this system has no Unix-domain sockets; leave it out"
              .formatted(OPTION));
    }
  }

  @Override
  public Socket createSocket() throws IOException {
    return new UnixSocket(path);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return createSocket();
  }
}
