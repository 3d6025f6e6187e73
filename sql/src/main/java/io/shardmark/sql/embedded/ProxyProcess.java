package io.shardmark.sql.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One life of an embedded proxy. */
final class ProxyProcess {
  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  /** It finishes the transactions that are open first; what hangs is not waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Those of the manual: little lives long in a proxy, so it shares the machine with little. */
  private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmn32m", "-Xmx512m");

  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  private final Start start;
  private final boolean keep;
  private Supervisor supervisor;

  /**
   * What a proxy is started with, the first time and again.
   *
   * @param home directory of its configuration and its log
   * @param sockets directory of its Unix-domain socket
   */
  private record Start(ProxyJar jar, Path home, boolean keep, int port, Optional<Path> sockets) {}

  private ProxyProcess(Start start, boolean keep, Supervisor supervisor) {
    this.start = start;
    this.keep = keep;
    this.supervisor = supervisor;
  }

  /**
   * Starts a proxy and waits until it takes connections.
   *
   * @param index of the proxy, from 0
   * @throws io.shardmark.config.ConfigException if it ends instead, with the last line of its log
   */
  static ProxyProcess start(
      ProxyJar jar, EmbeddedOptions options, int index, ProxySettings settings) throws IOException {
    Optional<Path> data = options.data();
    Path home =
        data.isPresent()
            ? Files.createDirectories(
                data.get().resolve(index == 0 ? "proxy" : "proxy" + (index + 1)))
            : Files.createTempDirectory("shardmark-proxy-");
    boolean started = false;
    try {
      ProxyProcess proxy =
          FreePort.start(
              options.port().map(first -> first + index),
              port -> {
                Optional<Path> sockets =
                    options.via().filter(EmbeddedOptions.UNIX::equals).map(unix -> home);
                writeSettings(home, settings.yaml(port, sockets));
                Start start = new Start(jar, home, options.keep(), port, sockets);
                return new ProxyProcess(start, options.keep(), supervisor(start));
              });
      started = true;
      return proxy;
    } finally {
      if (!started && !options.keep()) {
        ClusterDirectory.delete(home);
      }
    }
  }

  private static void writeSettings(Path home, String text) throws IOException {
    Path yaml = home.resolve("proxy.yaml");
    Files.deleteIfExists(yaml);
    Files.createFile(
        yaml, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(yaml, text);
  }

  private static Supervisor supervisor(Start start) throws IOException, StartFailure {
    Path home = start.home();
    Path log = home.resolve("proxy.log");
    Files.writeString(log, "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    List<String> command = new ArrayList<>();
    command.add(JAVA.toString());
    command.addAll(FLAGS);
    command.addAll(
        List.of("-jar", start.jar().file().toString(), home.resolve("proxy.yaml").toString()));
    // Ctrl-C on the terminal does not reach it: it serves the run until the last figures are shown.
    Supervisor supervisor =
        Supervisor.start(
            "the sharding proxy",
            new Supervisor.Order(
                home,
                start.keep(),
                log,
                Optional.empty(),
                "TERM",
                Optional.of(PATIENCE),
                STOP_LIMIT),
            command);
    // By its own word: another program may answer on the port.
    String listening = "listening on 127.0.0.1:" + start.port();
    supervisor.awaitReady(
        START_LIMIT,
        () -> supervisor.logLines().stream().anyMatch(line -> line.startsWith(listening)),
        lines -> lines.isEmpty() ? "its log is empty" : lines.get(lines.size() - 1));
    return supervisor;
  }

  int port() {
    return start.port();
  }

  /** The path of its Unix-domain socket, if it has one. */
  Optional<Path> socket() {
    return start.sockets().map(directory -> directory.resolve(".s.PGSQL." + port()));
  }

  /** Kills the proxy (SIGKILL), as a crash would. */
  void killHard() {
    try {
      supervisor.kill(JAVA);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot kill the sharding proxy", e);
    }
  }

  /** Sends it a signal, such as {@code STOP}. */
  void signal(String name) {
    supervisor.signal(name, JAVA);
  }

  /** Starts the proxy again with the same configuration, on the same port; after a crash. */
  void restart() {
    try {
      supervisor.leave();
      supervisor = supervisor(start);
    } catch (IOException | StartFailure e) {
      throw new UncheckedIOException(
          new IOException("cannot start the sharding proxy again: " + e.getMessage(), e));
    }
  }

  /** Stops the proxy, waits for its end, and deletes its directory unless it is to be kept. */
  void close() throws IOException {
    supervisor.stop();
    supervisor.leave();
    if (!keep) {
      ClusterDirectory.delete(start.home());
    }
  }
}
