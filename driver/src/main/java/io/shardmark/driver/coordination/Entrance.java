package io.shardmark.driver.coordination;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where driver 0 listens. Whoever connects has a few seconds to say that it is a driver, and only
 * so many may try at once. Safe on any thread.
 */
final class Entrance implements AutoCloseable {
  /** Connections that have not said who they are, beside those of the drivers. */
  private static final int MOST_STRANGERS = 64;

  private static final long HELLO_SECONDS = 10;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int BACKLOG = 1024;

  /** Lines about connections that were no drivers; a port scan must not fill the console. */
  private static final int MOST_LINES = 20;

  private final ServerSocket server;
  private final int mostStrangers;
  private final DriverGroup.Voice voice;
  private final Map<Link, Long> strangers = new HashMap<>();
  private int lines;

  /** What becomes of a driver that has said who it is. Called on a thread of its own. */
  interface Host {
    /** Talks with it to its end; the link is closed afterwards. */
    void serve(Link link, DriverIdentity identity) throws IOException;

    /** A driver that cannot be understood is to be told, and perhaps all others too. */
    void refuse(Link link, String reason) throws IOException;
  }

  private Entrance(ServerSocket server, int drivers, DriverGroup.Voice voice) {
    this.server = server;
    this.mostStrangers = MOST_STRANGERS + drivers;
    this.voice = voice;
  }

  /**
   * Listens where the drivers were told to come. Lets nobody in yet.
   *
   * @throws ConfigException if this machine cannot listen there
   */
  static Entrance open(DriversConfig config, DriverGroup.Voice voice) {
    return new Entrance(listen(config), config.count(), voice);
  }

  private static ServerSocket listen(DriversConfig config) {
    long deadline = System.nanoTime() + config.patience().toNanos();
    while (true) {
      try {
        ServerSocket server = new ServerSocket();
        try {
          server.bind(
              new InetSocketAddress(InetAddress.getByName(config.host()), config.port()), BACKLOG);
          return server;
        } catch (IOException e) {
          server.close();
          throw e;
        }
      } catch (UnknownHostException e) {
        // A pod's own name is known a little after it has started.
        if (System.nanoTime() - deadline >= 0) {
          throw cannotListen(config, "unknown host");
        }
        LockSupport.parkNanos(RETRY_NANOS);
      } catch (IOException e) {
        throw cannotListen(config, String.valueOf(e.getMessage()));
      }
    }
  }

  private static ConfigException cannotListen(DriversConfig config, String why) {
    return new ConfigException(
        "driverCoordinator=%s: driver 0 cannot listen there: %s"
            .formatted(config.coordinator(), why));
  }

  /** Lets drivers in until it is closed; returns at once. */
  void admit(Host host) {
    daemon("drivers-accept", () -> accept(host));
  }

  static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(Host host) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Link link = new Link(socket);
        link.failAfter(HELLO_SECONDS, TimeUnit.SECONDS);
        if (enter(link)) {
          daemon("driver-link", () -> greet(link, host));
        } else {
          link.close();
        }
      } catch (IOException e) {
        LockSupport.parkNanos(REST_NANOS); // it is closed, or out of file handles
      }
    }
  }

  private synchronized boolean enter(Link link) {
    if (server.isClosed() || strangers.size() >= mostStrangers) {
      return false;
    }
    strangers.put(link, System.nanoTime());
    return true;
  }

  private void greet(Link link, Host host) {
    boolean known = false;
    try {
      int version = link.awaitIntroduction();
      if (version != Link.PROTOCOL_VERSION) {
        known = true;
        host.refuse(
            link,
            "a driver (%s) speaks version %d of the drivers' protocol, expected %d: use the same driver.jar everywhere"
                .formatted(link.peer(), version, Link.PROTOCOL_VERSION));
        return;
      }
      if (!(link.receive() instanceof Message.Hello hello)) {
        throw new ProtocolException("it does not say who it is");
      }
      known = true;
      forget(link);
      host.serve(link, hello.identity());
    } catch (IOException e) {
      if (!known) {
        tell("A connection from %s is closed: %s".formatted(link.peer(), MemberService.reason(e)));
      }
    } finally {
      forget(link);
      link.close();
    }
  }

  private synchronized void forget(Link link) {
    strangers.remove(link);
  }

  private void tell(String line) {
    boolean told;
    synchronized (this) {
      lines++;
      told = lines <= MOST_LINES && !server.isClosed();
    }
    if (told) {
      voice.info().accept(line);
    }
  }

  /** Sends those away who take too long. To be called about once a second. */
  synchronized void tick() {
    long now = System.nanoTime();
    strangers.forEach(
        (link, since) -> {
          if (now - since > TimeUnit.SECONDS.toNanos(HELLO_SECONDS)) {
            link.close(); // its thread finds out and forgets it
          }
        });
  }

  /** Lets nobody in any more. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // It ends with the process.
    }
    synchronized (this) {
      strangers.keySet().forEach(Link::close);
    }
  }
}
