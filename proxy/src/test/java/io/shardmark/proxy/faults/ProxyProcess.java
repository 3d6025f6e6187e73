package io.shardmark.proxy.faults;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.ProxyProgram;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The real proxy in a process of its own, which can be killed. */
final class ProxyProcess implements AutoCloseable {
  private static final int LOG_TAIL_CHARS = 4_000;

  private static final AtomicInteger COUNT = new AtomicInteger();

  /** It finds a free port itself: one that was free a moment ago may be somebody's by now. */
  private static final int ANY_PORT = 0;

  /** Told when signals are heard too. */
  private static final Pattern LISTENING =
      Pattern.compile(
          "(?m)^listening on 127\\.0\\.0\\.1:(\\d+), \\d+ shards(?:, metrics on port (\\d+))?\\R");

  private final Process process;
  private final int asked;
  private final Path file;
  private final Path log;
  private int port;
  private int metricsPort;

  private ProxyProcess(Process process, int asked, Path file, Path log) {
    this.file = file;
    this.process = process;
    this.asked = asked;
    this.port = asked;
    this.log = log;
  }

  private static String listen(int port) {
    return "listen: 127.0.0.1:" + port + "\n";
  }

  /**
   * Starts it and waits until it says that it listens.
   *
   * @param directory for its files
   * @param config the YAML text behind {@code listen}
   */
  static ProxyProcess start(Path directory, String config, String... jvmOptions)
      throws IOException, InterruptedException {
    ProxyProcess proxy = begin(directory, ANY_PORT, config, jvmOptions);
    proxy.awaitListening();
    return proxy;
  }

  /** Starts it on that port and does not wait. */
  static ProxyProcess begin(Path directory, int port, String config, String... jvmOptions)
      throws IOException {
    int number = COUNT.incrementAndGet();
    Path file = directory.resolve("proxy-" + number + ".yaml");
    Files.writeString(file, listen(port) + config);
    Path log = directory.resolve("proxy-" + number + ".log");
    Process process =
        program(file, jvmOptions)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString())))
            .start();
    return new ProxyProcess(process, port, file, log);
  }

  /** What starts it with that configuration; for a start that fails. */
  static ProcessBuilder program(Path directory, String config) throws IOException {
    Path file = directory.resolve("proxy-fails.yaml");
    Files.writeString(file, listen(ANY_PORT) + config);
    return program(file);
  }

  private static ProcessBuilder program(Path file, String... jvmOptions) {
    List<String> command = new ArrayList<>();
    if (Files.isDirectory(Path.of("/proc"))) {
      // A build under nohup ignores SIGHUP and hands that down; a JVM then ignores it too.
      command.addAll(List.of("env", "--default-signal=HUP,INT,TERM"));
    }
    command.addAll(ProxyProgram.command(jvmOptions));
    command.add(file.toString());
    return new ProcessBuilder(command);
  }

  private void awaitListening() throws IOException {
    try {
      Await.until(
          "the proxy listens", this::logTail, () -> hasSaidThatItListens() || !process.isAlive());
    } finally {
      if (port == ANY_PORT) {
        process.destroyForcibly();
      }
    }
    if (!hasSaidThatItListens()) {
      throw new IOException("the proxy has ended: " + logText());
    }
  }

  /** Whether it takes connections on the port that it was given. */
  boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean hasSaidThatItListens() {
    Matcher line = LISTENING.matcher(logText());
    if (!line.find()) {
      return false;
    }
    port = Integer.parseInt(line.group(1));
    metricsPort = line.group(2) == null ? 0 : Integer.parseInt(line.group(2));
    return true;
  }

  int port() {
    return port;
  }

  /** 0 if it shows none. */
  int metricsPort() {
    return metricsPort;
  }

  /** All that it has logged. */
  String logText() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return String.valueOf(e);
    }
  }

  /** The last of what it has logged, for messages of failures. */
  String logTail() {
    String text = logText();
    return text.substring(Math.max(0, text.length() - LOG_TAIL_CHARS));
  }

  /** Writes the configuration anew, which the proxy does not know yet. */
  void rewrite(String config) throws IOException {
    Files.writeString(file, listen(asked) + config);
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
    if (!process.waitFor(Await.LIMIT_SECONDS, TimeUnit.SECONDS)) {
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
