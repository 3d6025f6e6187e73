package io.shardmark.proxy.faults;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real proxy in a process of its own, which can be killed. */
final class ProxyProcess implements AutoCloseable {
  private static final long START_LIMIT_SECONDS = 60;

  private static final int LOG_TAIL_CHARS = 4_000;

  private final Process process;
  private final int port;
  private final Path file;
  private final Path log;

  private ProxyProcess(Process process, int port, Path file, Path log) {
    this.file = file;
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /**
   * Starts it and waits until it accepts connections.
   *
   * @param directory for its files
   * @param config the YAML text behind {@code listen}
   */
  static ProxyProcess start(Path directory, String config)
      throws IOException, InterruptedException {
    ProxyProcess proxy = begin(directory, config);
    proxy.awaitListening();
    return proxy;
  }

  /** Starts it and does not wait. */
  static ProxyProcess begin(Path directory, String config) throws IOException {
    int port = freePort();
    Path file = directory.resolve("proxy-" + port + ".yaml");
    Files.writeString(file, "listen: 127.0.0.1:" + port + "\n" + config);
    Path log = directory.resolve("proxy-" + port + ".log");
    Process process =
        program(file)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString())))
            .start();
    return new ProxyProcess(process, port, file, log);
  }

  /** What starts it with that configuration; for a start that fails. */
  static ProcessBuilder program(Path directory, String config) throws IOException {
    Path file = directory.resolve("proxy-fails.yaml");
    Files.writeString(file, "listen: 127.0.0.1:0\n" + config);
    return program(file);
  }

  private static ProcessBuilder program(Path file) {
    List<String> command = new ArrayList<>();
    if (Files.isDirectory(Path.of("/proc"))) {
      // A build under nohup ignores SIGHUP and hands that down; a JVM then ignores it too.
      command.addAll(List.of("env", "--default-signal=HUP,INT,TERM"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            "io.shardmark.proxy.Main",
            file.toString()));
    return new ProcessBuilder(command);
  }

  /** A port that nobody listens on at this moment. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  void awaitListening() throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (!isListening()) {
      if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
        throw new IOException("the proxy has ended: " + Files.readString(log));
      }
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(START_LIMIT_SECONDS)) {
        process.destroyForcibly();
        throw new IOException("the proxy does not listen: " + Files.readString(log));
      }
    }
  }

  boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  int port() {
    return port;
  }

  /** The last of what it has logged, for messages of failures. */
  String logTail() {
    try {
      String text = Files.readString(log);
      return text.substring(Math.max(0, text.length() - LOG_TAIL_CHARS));
    } catch (IOException e) {
      return String.valueOf(e);
    }
  }

  /** Writes the configuration anew, which the proxy does not know yet. */
  void rewrite(String config) throws IOException {
    Files.writeString(file, "listen: 127.0.0.1:" + port + "\n" + config);
  }

  /** Sends a signal, by its name without SIG. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("signal " + name + " could not be sent");
    }
  }

  /** The status it ends with, waiting for its end. */
  int awaitExit() throws InterruptedException {
    if (!process.waitFor(START_LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end: " + logTail());
    }
    return process.exitValue();
  }

  /** SIGKILL; returns when it is dead. */
  void killHard() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    killHard();
  }
}
