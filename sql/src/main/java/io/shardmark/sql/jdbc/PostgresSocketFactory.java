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
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of pgjdbc, which makes a factory by name (its properties {@code socketFactory} and
 * {@code socketFactoryArg}) and connects what it gets itself. With a path they reach a server of
 * this machine by that file; host and port that are asked for mean nothing then.
 *
 * <p>Those of TCP block in one system call when they read. A {@link Socket} of the JDK turns its
 * file descriptor non-blocking at the first operation that has a timeout, and never back: pgjdbc's
 * connect has one, the wait for the answer to its SSLRequest has one, and HikariCP's first check
 * has one. Every later read then costs three system calls (a read that finds nothing, a poll, a
 * read) instead of one. The socket of a {@link SocketChannel} restores the blocking mode after each
 * operation with a timeout. Counted with strace for 4 connections: 2.5 calls for each answer
 * before, 1.1 after.
 */
public final class PostgresSocketFactory extends SocketFactory {
  /** Of a JDBC URL: the path of the socket. */
  static final String OPTION = "unixSocket";

  private static final int IDLE_SECONDS = 15;
  private static final int INTERVAL_SECONDS = 5;
  private static final int PROBES = 3;

  private final @Nullable String path;

  /**
   * For pgjdbc.
   *
   * @param path of a server's socket; null for TCP
   */
  public PostgresSocketFactory(@Nullable String path) {
    this.path = path;
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

  /** Not connected yet, unless it is a file's. */
  @Override
  public Socket createSocket() throws IOException {
    return path == null ? tcp() : new UnixSocket(Path.of(path));
  }

  /**
   * With pgjdbc's {@code tcpKeepAlive} the default of two hours would outlast every run: a server
   * that is gone while an answer is awaited is noticed after {@link #IDLE_SECONDS} and {@link
   * #PROBES} probes. What nobody acknowledges is sent again for much longer, without probes: the
   * JDK has no TCP_USER_TIMEOUT, which would limit that.
   */
  private static Socket tcp() throws IOException {
    SocketChannel channel = SocketChannel.open();
    if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
      channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
    }
    return channel.socket();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw connectsItself();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw connectsItself();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw connectsItself();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
    throw connectsItself();
  }

  private static UnsupportedOperationException connectsItself() {
    return new UnsupportedOperationException("pgjdbc connects a socket itself");
  }
}
