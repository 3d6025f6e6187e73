package io.shardmark.driver.servers;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of 127.0.0.1 for servers that must be told theirs. Between the finding and the listening
 * lies the start of a program, so they are below those that the system gives to whoever asks for
 * any (on Linux from 32768) and those that embedded servers choose themselves (from 20000), none is
 * given twice in this JVM, and none in both of two JVMs that run tests side by side.
 */
public final class FreePort {
  private static final int LOWEST = 12_000;
  private static final int END = 20_000;

  /** Surefire numbers its JVMs from 1, as many as the pom says; without it there is one. */
  private static final int JVMS = 2;

  private static final int JVM = Integer.getInteger("surefire.forkNumber", 0) % JVMS;
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** A port that nobody listens on. */
  public static int find() throws IOException {
    while (true) {
      int port = JVMS * ThreadLocalRandom.current().nextInt(LOWEST / JVMS, END / JVMS) + JVM;
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        if (GIVEN.add(free.getLocalPort())) {
          return port;
        }
      } catch (BindException e) {
        GIVEN.add(port); // someone else's
      }
    }
  }
}
