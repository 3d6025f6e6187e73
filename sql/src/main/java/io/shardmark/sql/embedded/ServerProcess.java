package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.io.BufferedReader;
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
import java.util.function.Consumer;

/**
 * One life of a PostgreSQL server: from start to its end, by order or by a crash. The server's
 * parent is a shell script that stops it when we are gone.
 */
final class ServerProcess {
  /** Crash recovery replays at most max_wal_size; on a slow disk that takes minutes. */
  private static final Duration START_LIMIT = Duration.ofMinutes(30);

  private static final Duration START_SURPRISE = Duration.ofSeconds(5);
  private static final Duration STOP_LIMIT = Duration.ofMinutes(5);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(30);
  private static final int POLL_MILLIS = 10;

  /** PG18 src/include/utils/pidfile.h: line 8 of postmaster.pid is its state. */
  private static final int STATUS_LINE = 7;

  private final Process supervisor;
  private final ClusterDirectory cluster;
  private final long logStart;
  private long postmasterPid = -1;

  private ServerProcess(Process supervisor, ClusterDirectory cluster, long logStart) {
    this.supervisor = supervisor;
    this.cluster = cluster;
    this.logStart = logStart;
  }

  /**
   * Starts a server and waits until it takes connections.
   *
   * @param keep whether the directory stays when we are gone
   * @throws StartFailure if it ended instead
   */
  static ServerProcess start(
      PostgresBinaries binaries,
      ServerUser user,
      ClusterDirectory cluster,
      boolean keep,
      Consumer<String> progress)
      throws IOException, StartFailure {
    String before = cluster.postmasterFile();
    long logStart = Files.exists(cluster.log()) ? Files.size(cluster.log()) : 0;
    boolean hasSetsid = ShellCommand.run(List.of("setsid", "true")).succeeded();
    List<String> command = new ArrayList<>(hasSetsid ? List.of("setsid") : List.of());
    command.addAll(supervise(binaries, user, cluster, keep));
    ProcessBuilder builder = new ProcessBuilder(command);
    ShellCommand.cleanEnvironment(builder);
    builder.environment().put("SUPERVISE_JOB_CONTROL", hasSetsid ? "no" : "yes");
    builder.directory(cluster.home().toFile());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(cluster.log().toFile()));
    ServerProcess server = new ServerProcess(builder.start(), cluster, logStart);
    try {
      server.awaitReady(before, progress);
    } catch (InterruptedException e) {
      server.stop();
      server.leave();
      throw interrupted(e);
    }
    return server;
  }

  private static List<String> supervise(
      PostgresBinaries binaries, ServerUser user, ClusterDirectory cluster, boolean keep)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", script(), "sh"));
    command.add(cluster.data().toString());
    command.add(cluster.log().toString());
    command.add(keep ? "INT" : "QUIT");
    command.add(keep ? "" : cluster.home().toString());
    command.addAll(
        user.command(
            List.of(binaries.program("postgres").toString(), "-D", cluster.data().toString())));
    return command;
  }

  private static String script() throws IOException {
    try (InputStream stream = ServerProcess.class.getResourceAsStream("supervise.sh")) {
      if (stream == null) {
        throw new IOException("supervise.sh is missing from the jar");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void awaitReady(String before, Consumer<String> progress)
      throws IOException, InterruptedException, StartFailure {
    long start = System.nanoTime();
    boolean told = false;
    while (!isReady(before)) {
      if (!isRunning()) {
        leave();
        throw new StartFailure(reasonInLog());
      }
      supervisor.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      long waited = System.nanoTime() - start;
      if (waited > START_LIMIT.toNanos()) {
        stop();
        leave();
        throw new StartFailure("not ready after " + START_LIMIT.toMinutes() + " minutes");
      }
      if (!told && waited > START_SURPRISE.toNanos()) {
        told = true;
        progress.accept("PostgreSQL is still starting; after a crash it first repairs its data");
      }
    }
  }

  private boolean isReady(String before) throws IOException {
    String now = cluster.postmasterFile();
    List<String> lines = now.lines().toList();
    // A crash leaves the file behind, so only one that has changed speaks of our server.
    if (now.equals(before)
        || lines.size() <= STATUS_LINE
        || !lines.get(STATUS_LINE).strip().equals("ready")) {
      return false;
    }
    postmasterPid = Long.parseLong(lines.get(0).strip());
    return true;
  }

  /** The line of the server's log that says why it did not start. */
  private String reasonInLog() throws IOException {
    String fatal = "";
    String last = "its log is empty";
    try (BufferedReader reader = Files.newBufferedReader(cluster.log())) {
      if (reader.skip(logStart) < logStart) {
        return last;
      }
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.contains(" in file \"") || line.contains("could not bind")) {
          return line;
        }
        if (fatal.isEmpty() && (line.contains("FATAL:") || line.contains("PANIC:"))) {
          fatal = line;
        }
        last = line;
      }
    }
    return fatal.isEmpty() ? last : fatal;
  }

  long pid() {
    return postmasterPid;
  }

  /** False once the supervisor has said that the server has ended. */
  boolean isRunning() throws IOException {
    return supervisor.isAlive() && supervisor.getInputStream().available() == 0;
  }

  /** Ends the server by order and waits for it. */
  void stop() throws IOException {
    tell("stop");
    if (!ended(STOP_LIMIT)) {
      kill();
    }
  }

  /**
   * Ends the server as a crash would (SIGKILL) and waits until none of its processes is left: only
   * then can another start on the same files.
   */
  void kill() throws IOException {
    Optional<ProcessHandle> postmaster = ProcessHandle.of(postmasterPid);
    if (postmaster.isPresent() && isRunning()) {
      // Else it could make another child after its children have been looked for.
      ShellCommand.run(List.of("kill", "-s", "STOP", Long.toString(postmasterPid)));
    }
    List<ProcessHandle> children =
        postmaster.map(handle -> handle.children().toList()).orElse(List.of());
    if (isRunning()) {
      postmaster.ifPresent(ProcessHandle::destroyForcibly);
    }
    if (!ended(KILL_LIMIT)) {
      throw new IllegalStateException("PostgreSQL " + postmasterPid + " survived SIGKILL");
    }
    // They end by themselves when they notice; only what hangs is killed.
    for (ProcessHandle child : children) {
      child.onExit().completeOnTimeout(child, KILL_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
      child.destroyForcibly();
    }
  }

  /** Makes the supervisor of an ended server end too, without deleting anything. */
  void leave() throws IOException {
    if (supervisor.isAlive()) {
      tell("leave");
    }
    try {
      supervisor.waitFor(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void tell(String order) throws IOException {
    OutputStream orders = supervisor.getOutputStream();
    orders.write((order + "\n").getBytes(StandardCharsets.US_ASCII));
    orders.flush();
  }

  private boolean ended(Duration limit) throws IOException {
    long start = System.nanoTime();
    try {
      while (isRunning()) {
        if (System.nanoTime() - start > limit.toNanos()) {
          return false;
        }
        supervisor.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
      }
      return true;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Ends a server that a dead process of ours has left on these files. Its supervisor is doing so
   * already unless it was killed as well.
   *
   * @throws ConfigException if a server that is not ours or cannot be stopped uses the files
   */
  static void endLeftOver(ClusterDirectory cluster, Consumer<String> progress) throws IOException {
    Path data = cluster.data();
    Optional<ProcessHandle> found =
        cluster
            .postmasterFile()
            .lines()
            .findFirst()
            .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.strip())))
            .filter(handle -> isServerOf(data, handle));
    if (found.isEmpty()) {
      return;
    }
    ProcessHandle server = found.get();
    progress.accept("Waiting for PostgreSQL " + server.pid() + " of an earlier run to end");
    if (!ends(server, START_SURPRISE)) {
      // SIGINT is a fast shutdown; ProcessHandle can only send SIGTERM, which waits for clients.
      ShellCommand.run(List.of("kill", "-s", "INT", Long.toString(server.pid())));
      if (!ends(server, STOP_LIMIT)) {
        throw new ConfigException(
            "conn: option data: PostgreSQL " + server.pid() + " still runs on " + data);
      }
    }
  }

  private static boolean isServerOf(Path data, ProcessHandle handle) {
    String command =
        ShellCommand.run(List.of("ps", "-o", "args=", "-p", Long.toString(handle.pid()))).output();
    return command.contains(" -D " + data);
  }

  private static boolean ends(ProcessHandle handle, Duration limit) {
    handle.onExit().completeOnTimeout(handle, limit.toMillis(), TimeUnit.MILLISECONDS).join();
    return !handle.isAlive();
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while waiting for PostgreSQL", e);
  }

  /** The server ended before it took connections. */
  static final class StartFailure extends Exception {
    private static final long serialVersionUID = 1L;

    StartFailure(String reason) {
      super(reason);
    }

    boolean isPortTaken() {
      return String.valueOf(getMessage()).contains("could not bind");
    }

    /** A crashed server's processes can hold its shared memory for a moment. */
    boolean isMemoryHeld() {
      return String.valueOf(getMessage()).contains("shared memory block");
    }
  }
}
