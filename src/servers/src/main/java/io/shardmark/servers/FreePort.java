package io.shardmark.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of 127.0.0.1 for processes whose configuration names one. Between the finding and the
 * listening lies the start of a program, so they are below those that the system gives to
 * connections (on Linux from 32768) and those that embedded servers choose themselves (from 20000),
 * and none is given twice: neither in this JVM, nor to two that run tests at once.
 */
public final class FreePort {
  private static final int LOWEST = 12_000;
  private static final int END = 20_000;

  /** Of this user; a byte of it is locked for each port that a living JVM has been given. */
  private static final Path LOCKS =
      Path.of(
          System.getProperty("java.io.tmpdir"),
          "shardmark-test-ports-" + System.getProperty("user.name"));

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** Never closed: that would give up the locks. */
  private static final class Holder {
    static final FileChannel CHANNEL = open();

    private static FileChannel open() {
      try {
        return FileChannel.open(LOCKS, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A port that nobody listens on. */
  public static int find() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, END);
      if (GIVEN.add(port) && Holder.CHANNEL.tryLock(port, 1, false) != null && isFree(port)) {
        return port;
      }
    }
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return free.isBound();
    } catch (BindException e) {
      return false;
    }
  }
}
