package io.shardmark.driver.idle;

import com.sun.management.UnixOperatingSystemMXBean;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.IdleConfig;
import io.shardmark.driver.processes.ListeningProcess;
import io.shardmark.sql.jdbc.PostgresEndpoint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which process opens which idle sessions, checked against what this machine allows.
 *
 * @param endpoints all of them, with the process that listens there if it can be seen
 */
record IdlePlan(List<IdleOrders> orders, List<IdlePlace> endpoints) {
  /** What a Java process opens in addition to its sessions: libraries, pipes, selector. */
  private static final int OTHER_FILES = 100;

  private static final int MOST_PROCESSES = 64;

  /** So many are little work for one thread, and fit its small heap. */
  private static final int MOST_IN_PROCESS = 20_000;

  private static final int PROBE_SECONDS = 60;

  record IdlePlace(PostgresEndpoint endpoint, int sessions, Optional<ListeningProcess> listener) {}

  IdlePlan {
    orders = List.copyOf(orders);
    endpoints = List.copyOf(endpoints);
  }

  /**
   * @throws ConfigException if the sessions cannot be opened from here
   */
  static IdlePlan of(IdleConfig config, ConnectionConfig connection) {
    return of(config, connection, filesOfProcess());
  }

  static IdlePlan of(IdleConfig config, ConnectionConfig connection, long filesOfProcess) {
    PostgresEndpoint.Target target =
        PostgresEndpoint.of(connection.url(), connection.user())
            .orElseThrow(
                () ->
                    new ConfigException(
                        "conn=%s: names no host and port for idle sessions; expected a JDBC URL of PostgreSQL"
                            .formatted(connection.maskedUrl())));
    int sessions = config.sessions();
    config.sources().forEach(IdlePlan::checkAddress);
    checkPorts(config, target.endpoints().size());
    List<IdlePlace> places = places(target.endpoints(), sessions);
    places.forEach(place -> checkFiles(place, sessions));
    int processes = processes(sessions, filesOfProcess);
    List<IdleOrders> orders = new ArrayList<>();
    for (int process = 0; process < processes; process++) {
      int first = (int) ((long) sessions * process / processes);
      int end = (int) ((long) sessions * (process + 1) / processes);
      orders.add(
          new IdleOrders(
              connection.user(),
              connection.password().value(),
              target.database(),
              target.endpoints(),
              config.sources(),
              first,
              end - first,
              (int) Math.max(1, connection.connectTimeout().toSeconds()),
              PROBE_SECONDS));
    }
    return new IdlePlan(orders, places);
  }

  private static List<IdlePlace> places(List<PostgresEndpoint> endpoints, int sessions) {
    List<IdlePlace> places = new ArrayList<>();
    for (int i = 0; i < endpoints.size(); i++) {
      int share = (sessions - i + endpoints.size() - 1) / endpoints.size();
      places.add(new IdlePlace(endpoints.get(i), share, ListeningProcess.at(endpoints.get(i))));
    }
    return places;
  }

  private static int processes(int sessions, long files) {
    long each = Math.min(MOST_IN_PROCESS, files - OTHER_FILES);
    long needed = each <= 0 ? Long.MAX_VALUE : (sessions + each - 1) / each;
    if (needed > MOST_PROCESSES) {
      throw new ConfigException(
          "idleSessions=%d: a process may open %d files here, too few for the sessions of %d processes; raise it with ulimit -n 20000, up to the hard limit (nofile in /etc/security/limits.conf)"
              .formatted(sessions, files, MOST_PROCESSES));
    }
    return (int) needed;
  }

  /** The JVM has raised its limit to the hard one, and those that it starts do so too. */
  private static long filesOfProcess() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : MOST_IN_PROCESS + OTHER_FILES;
  }

  private static void checkFiles(IdlePlace place, int sessions) {
    OptionalLong most =
        place.listener().map(ListeningProcess::mostFiles).orElse(OptionalLong.empty());
    if (most.isPresent() && most.getAsLong() < place.sessions()) {
      throw new ConfigException(
          "idleSessions=%d: %s would get %d of them, but its process (%d) may open %d files; raise its limit (ulimit -n) or name more endpoints in conn"
              .formatted(
                  sessions,
                  place.endpoint(),
                  place.sessions(),
                  place.listener().orElseThrow().pid(),
                  most.getAsLong()));
    }
  }

  private static void checkAddress(String source) {
    try (SocketChannel channel = SocketChannel.open()) {
      channel.bind(new InetSocketAddress(InetAddress.getByName(source), 0));
    } catch (IOException | RuntimeException e) {
      throw new ConfigException(
          "idleSources: %s is no address of this machine: expected one that a socket can be bound to, such as 127.0.0.2"
              .formatted(source));
    }
  }

  /**
   * A port is taken once for each server where the system chooses the address, but once for all
   * servers where we do.
   */
  private static void checkPorts(IdleConfig config, int endpoints) {
    long ports = ports();
    boolean chosen = !config.sources().isEmpty();
    long room = ports * (chosen ? config.sources().size() : endpoints);
    if (config.sessions() > room) {
      throw new ConfigException(
          "idleSessions=%d: an address has %d ports here, enough for %d sessions; name %d addresses of this machine in idleSources"
              .formatted(config.sessions(), ports, room, (config.sessions() + ports - 1) / ports));
    }
  }

  private static long ports() {
    try {
      // Such a file gives its text to the first read only; readString begins with a short one.
      String[] range =
          Files.readAllLines(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))
              .get(0)
              .strip()
              .split("\\s+", -1);
      return Long.parseLong(range[1]) - Long.parseLong(range[0]) + 1;
    } catch (IOException | RuntimeException e) {
      return Integer.MAX_VALUE; // not Linux: the sessions will show it
    }
  }
}
