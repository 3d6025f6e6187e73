package io.shardmark.sql.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A shell script that is the parent of one server process and ends it when we are gone, however
 * that happens. A Ctrl-C on the terminal reaches neither.
 */
final class Supervisor {
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(30);
  private static final int POLL_MILLIS = 10;

  private final String what;
  private final Order order;
  private final Process script;
  private final long logStart;

  private Supervisor(String what, Order order, Process script, long logStart) {
    this.what = what;
    this.order = order;
    this.script = script;
    this.logStart = logStart;
  }

  /**
   * What is run, and how it ends.
   *
   * @param home the directory that it runs in
   * @param keep false if {@code home} is deleted after our death
   * @param log what its output is added to
   * @param pidFile whose first line names its process, if it is not the command's
   * @param signal what stops it
   * @param patience how long it may take to end after our death before it is killed, if it is
   * @param stopLimit how long it may take to end by order
   */
  record Order(
      Path home,
      boolean keep,
      Path log,
      Optional<Path> pidFile,
      String signal,
      Optional<Duration> patience,
      Duration stopLimit) {}

  /** Whether the server takes clients. */
  interface Readiness {
    boolean isReached() throws IOException;
  }

  /**
   * @param what the server, for messages
   */
  static Supervisor start(String what, Order order, List<String> command) throws IOException {
    boolean hasSetsid = ShellCommand.run(List.of("setsid", "true")).succeeded();
    List<String> all = new ArrayList<>(hasSetsid ? List.of("setsid") : List.of());
    all.addAll(List.of("sh", "-c", script(), "sh"));
    all.add(order.log().toString());
    all.add(order.pidFile().map(Path::toString).orElse(""));
    all.add(order.signal());
    all.add(order.patience().map(limit -> Long.toString(limit.toSeconds())).orElse(""));
    all.add(order.keep() ? "" : order.home().toString());
    all.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(all);
    ShellCommand.cleanEnvironment(builder);
    builder.environment().put("SUPERVISE_JOB_CONTROL", hasSetsid ? "no" : "yes");
    builder.directory(order.home().toFile());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(order.log().toFile()));
    long logStart = Files.exists(order.log()) ? Files.size(order.log()) : 0;
    return new Supervisor(what, order, builder.start(), logStart);
  }

  private static String script() throws IOException {
    try (InputStream stream = Supervisor.class.getResourceAsStream("supervise.sh")) {
      if (stream == null) {
        throw new IOException("supervise.sh is missing from the jar");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Waits until the server takes clients; ends it if it does not.
   *
   * @param reason finds the line of its log that says why it ended
   * @throws StartFailure if it ended instead, or takes longer than {@code limit}
   */
  void awaitReady(Duration limit, Readiness ready, Function<List<String>, String> reason)
      throws IOException, StartFailure {
    long start = System.nanoTime();
    boolean isReady = false;
    try {
      while (!ready.isReached()) {
        if (!isRunning()) {
          throw new StartFailure(what, reason.apply(logLines()));
        }
        if (System.nanoTime() - start > limit.toNanos()) {
          List<String> log = logLines();
          String last = log.isEmpty() ? "" : "; its log ends: " + log.get(log.size() - 1);
          throw new StartFailure(what, "not ready after " + limit.toSeconds() + " s" + last);
        }
        script.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
      isReady = true;
    } catch (InterruptedException e) {
      stop();
      leave();
      throw interrupted(e);
    } finally {
      if (!isReady) {
        stop();
        leave();
      }
    }
  }

  /** What the server has written to its log since it started, without empty lines. */
  List<String> logLines() throws IOException {
    try (InputStream log = Files.newInputStream(order.log())) {
      log.skipNBytes(logStart);
      return new String(log.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .toList();
    }
  }

  /** False once the supervisor has said that the server has ended. */
  boolean isRunning() throws IOException {
    return script.isAlive() && script.getInputStream().available() == 0;
  }

  /**
   * Ends the server by order, if it still runs.
   *
   * @return false if it did not end in time
   */
  boolean stop() throws IOException {
    if (!isRunning()) {
      return true;
    }
    send("stop");
    return ended(order.stopLimit());
  }

  /**
   * Ends a server of one process as a crash would (SIGKILL), and waits for its end.
   *
   * @param program that it runs
   */
  void kill(Path program) throws IOException {
    processes(program).forEach(ProcessHandle::destroyForcibly);
    if (!ended(order.stopLimit())) {
      throw new IllegalStateException(what + " survived SIGKILL");
    }
  }

  /** Sends a signal, such as {@code STOP}, to a server of one process. */
  void signal(String name, Path program) {
    signal(name, processes(program));
  }

  /** Sends a signal to processes; Java has no such call. */
  static void signal(String name, Stream<ProcessHandle> processes) {
    List<String> command = new ArrayList<>(List.of("kill", "-s", name));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    if (command.size() > 3) {
      ShellCommand.run(command);
    }
  }

  private Stream<ProcessHandle> processes(Path program) {
    return script
        .descendants()
        .filter(process -> process.info().command().filter(program.toString()::equals).isPresent());
  }

  /** Waits until the server has ended; gives false if it does not in time. */
  boolean ended(Duration limit) throws IOException {
    long start = System.nanoTime();
    try {
      while (isRunning()) {
        if (System.nanoTime() - start > limit.toNanos()) {
          return false;
        }
        script.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
      return true;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Makes the supervisor of an ended server end too, without deleting anything. */
  void leave() throws IOException {
    if (script.isAlive()) {
      send("leave");
    }
    try {
      script.waitFor(LEAVE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void send(String word) throws IOException {
    OutputStream orders = script.getOutputStream();
    orders.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
    orders.flush();
  }

  private IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while waiting for " + what, e);
  }
}
