package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.Optional;

/** A port of 127.0.0.1 that nobody listens on just now. */
final class FreePort {
  /**
   * Below the ports that Linux (from 32768) and macOS (from 49152) hand to outgoing connections:
   * while a server restarts, none of them can take its port.
   */
  private static final int FIRST_PORT = 20_000;

  private static final int LAST_PORT = 32_000;
  private static final int ATTEMPTS = 50;

  private FreePort() {}

  /** Starts a server. */
  interface Starter<T> {
    T on(int port) throws IOException, StartFailure;
  }

  /**
   * Starts a server, again if somebody else took the port that was free.
   *
   * @param fixed the only port that will do
   * @throws ConfigException if it does not start
   */
  static <T> T start(Optional<Integer> fixed, Starter<T> server) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return server.on(fixed.isPresent() ? fixed.get() : find());
      } catch (StartFailure e) {
        boolean again = (e.isPortTaken() && fixed.isEmpty()) || e.isMemoryHeld();
        if (!again || attempt == ATTEMPTS) {
          throw new ConfigException(String.valueOf(e.getMessage()));
        }
      }
    }
  }

  private static int find() throws IOException {
    SecureRandom random = new SecureRandom();
    IOException refused = new IOException("no attempt made");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int candidate = FIRST_PORT + random.nextInt(LAST_PORT - FIRST_PORT);
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), candidate));
        return candidate;
      } catch (IOException e) {
        refused = e;
      }
    }
    throw new IOException(
        "no free port found between " + FIRST_PORT + " and " + LAST_PORT, refused);
  }
}
