package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One life of an embedded proxy. Its parent is a shell script that ends it when we are gone. */
final class ProxyProcess {
  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final int POLL_MILLIS = 20;
  private static final int ATTEMPTS = 50;

  /** Those of the manual: little lives long in a proxy, so it shares the machine with little. */
  private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmn32m", "-Xmx512m");

  private final Process supervisor;
  private final Path home;
  private final boolean keep;
  private final int port;
  private final long logStart;

  private ProxyProcess(Process supervisor, Path home, boolean keep, int port, long logStart) {
    this.supervisor = supervisor;
    this.home = home;
    this.keep = keep;
    this.port = port;
    this.logStart = logStart;
  }

  /**
   * Starts a proxy and waits until it takes connections.
   *
   * @throws ConfigException if it ends instead, with the last line of its log
   */
  static ProxyProcess start(ProxyJar jar, ShardedOptions.OfProxy options, ProxySettings settings)
      throws IOException {
    Optional<Integer> fixed = options.port();
    for (int attempt = 1; ; attempt++) {
      int port = fixed.isPresent() ? fixed.get() : FreePort.find();
      try {
        return start(jar, options, settings, port);
      } catch (PortTaken e) {
        // Between our look at the port and the proxy's bind somebody else can take it.
        if (fixed.isPresent() || attempt == ATTEMPTS) {
          throw new ConfigException(String.valueOf(e.getMessage()));
        }
      }
    }
  }

  private static ProxyProcess start(
      ProxyJar jar, ShardedOptions.OfProxy options, ProxySettings settings, int port)
      throws IOException, PortTaken {
    Path home = home(options);
    Path yaml = home.resolve("proxy.yaml");
    Files.deleteIfExists(yaml);
    Files.createFile(
        yaml, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(yaml, settings.yaml(port));
    Files.writeString(log(home), "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    boolean keep = options.keep();
    long logStart = Files.size(log(home));
    ProxyProcess proxy =
        new ProxyProcess(supervisor(jar, yaml, home, keep).start(), home, keep, port, logStart);
    boolean ready = false;
    try {
      proxy.awaitReady();
      ready = true;
      return proxy;
    } finally {
      if (!ready) {
        proxy.close();
      }
    }
  }

  private static Path home(ShardedOptions.OfProxy options) throws IOException {
    return options.data().isPresent()
        ? Files.createDirectories(options.data().get())
        : Files.createTempDirectory("shardmark-proxy-");
  }

  private static Path log(Path home) {
    return home.resolve("proxy.log");
  }

  private static ProcessBuilder supervisor(ProxyJar jar, Path yaml, Path home, boolean keep)
      throws IOException {
    // Ctrl-C on the terminal must not reach it: it serves the run until the last figures are shown.
    boolean hasSetsid = ShellCommand.run(List.of("setsid", "true")).succeeded();
    List<String> command = new ArrayList<>(hasSetsid ? List.of("setsid") : List.of());
    command.addAll(List.of("sh", "-c", script(), "sh"));
    command.add(log(home).toString());
    command.add(keep ? "" : home.toString());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-jar", jar.file().toString(), yaml.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    ShellCommand.cleanEnvironment(builder);
    builder.environment().put("SUPERVISE_JOB_CONTROL", hasSetsid ? "no" : "yes");
    builder.directory(home.toFile());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log(home).toFile()));
    return builder;
  }

  private static String script() throws IOException {
    try (InputStream stream = ProxyProcess.class.getResourceAsStream("supervise-proxy.sh")) {
      if (stream == null) {
        throw new IOException("supervise-proxy.sh is missing from the jar");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void awaitReady() throws IOException, PortTaken {
    long start = System.nanoTime();
    while (!saysItListens()) {
      if (!isRunning()) {
        String fault = "conn: the sharding proxy did not start: " + lastLine();
        if (fault.contains("cannot be bound")) {
          throw new PortTaken(fault);
        }
        throw new ConfigException(fault);
      }
      if (System.nanoTime() - start > START_LIMIT.toNanos()) {
        throw new ConfigException(
            "conn: the sharding proxy is not ready after %d s: %s"
                .formatted(START_LIMIT.toSeconds(), lastLine()));
      }
      pause();
    }
  }

  /** By its own word: whoever answers on the port may be somebody else. */
  private boolean saysItListens() throws IOException {
    try (InputStream log = Files.newInputStream(log(home))) {
      log.skipNBytes(logStart);
      return new String(log.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .anyMatch(line -> line.startsWith("listening on 127.0.0.1:" + port));
    }
  }

  private void pause() {
    try {
      supervisor.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the sharding proxy", e);
    }
  }

  private String lastLine() throws IOException {
    try (Stream<String> lines = Files.lines(log(home))) {
      return lines.filter(line -> !line.isBlank()).reduce((a, b) -> b).orElse("its log is empty");
    }
  }

  /** False once the supervisor has said that the proxy has ended. */
  boolean isRunning() throws IOException {
    return supervisor.isAlive() && supervisor.getInputStream().available() == 0;
  }

  int port() {
    return port;
  }

  /** Stops the proxy, waits for its end, and deletes its directory unless it is to be kept. */
  void close() throws IOException {
    if (isRunning()) {
      tell("stop");
      long start = System.nanoTime();
      while (isRunning() && System.nanoTime() - start < STOP_LIMIT.toNanos()) {
        pause();
      }
    }
    if (supervisor.isAlive()) {
      tell("leave");
    }
    if (!keep) {
      ClusterDirectory.delete(home);
    }
  }

  private void tell(String order) throws IOException {
    OutputStream orders = supervisor.getOutputStream();
    orders.write((order + "\n").getBytes(StandardCharsets.US_ASCII));
    orders.flush();
  }

  /** Somebody else listens on the port. */
  private static final class PortTaken extends Exception {
    private static final long serialVersionUID = 1L;

    PortTaken(String fault) {
      super(fault);
    }
  }
}
