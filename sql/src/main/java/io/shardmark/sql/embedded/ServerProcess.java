package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One life of a PostgreSQL server: from start to its end, by order or by a crash. */
final class ServerProcess {
  /** Crash recovery replays at most max_wal_size; on a slow disk that takes minutes. */
  private static final Duration START_LIMIT = Duration.ofMinutes(30);

  private static final Duration START_SURPRISE = Duration.ofSeconds(5);
  private static final Duration STOP_LIMIT = Duration.ofMinutes(5);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(30);

  /** PG18 src/include/utils/pidfile.h: line 8 of postmaster.pid is its state. */
  private static final int STATUS_LINE = 7;

  private final Supervisor supervisor;
  private final ClusterDirectory cluster;
  private final int port;
  private final long startNanos = System.nanoTime();
  private boolean warned;
  private long postmasterPid = -1;

  private ServerProcess(Supervisor supervisor, ClusterDirectory cluster, int port) {
    this.supervisor = supervisor;
    this.cluster = cluster;
    this.port = port;
  }

  /**
   * Starts a server and waits until it takes connections.
   *
   * @param port that the cluster's settings name
   * @param keep whether the directory stays when we are gone
   * @throws StartFailure if it ended instead
   */
  static ServerProcess start(
      PostgresBinaries binaries,
      ServerUser user,
      ClusterDirectory cluster,
      int port,
      boolean keep,
      Consumer<String> progress)
      throws IOException, StartFailure {
    String before = cluster.postmasterFile();
    Supervisor.Order order =
        new Supervisor.Order(
            cluster.home(),
            keep,
            cluster.log(),
            Optional.of(cluster.data().resolve("postmaster.pid")),
            keep ? "INT" : "QUIT",
            Optional.empty(),
            STOP_LIMIT);
    List<String> command =
        List.of(binaries.program("postgres").toString(), "-D", cluster.data().toString());
    ServerProcess server =
        new ServerProcess(
            Supervisor.start("PostgreSQL", order, user.command(command)), cluster, port);
    server.supervisor.awaitReady(
        START_LIMIT, () -> server.isReady(before, progress), ServerProcess::reason);
    return server;
  }

  private boolean isReady(String before, Consumer<String> progress) throws IOException {
    if (!warned && System.nanoTime() - startNanos > START_SURPRISE.toNanos()) {
      warned = true;
      progress.accept("PostgreSQL is still starting; after a crash it first repairs its data");
    }
    String now = cluster.postmasterFile();
    List<String> lines = now.lines().toList();
    // A crash leaves the file, so only one that has changed speaks of our server.
    if (now.equals(before)
        || lines.size() <= STATUS_LINE
        || !lines.get(STATUS_LINE).strip().equals("ready")) {
      return false;
    }
    postmasterPid = Long.parseLong(lines.get(0).strip());
    return true;
  }

  /** The line of the server's log that says why it did not start. */
  private static String reason(List<String> log) {
    return firstOf(log, " in file \"", "could not bind")
        .or(() -> firstOf(log, "FATAL:", "PANIC:"))
        .orElseGet(() -> log.isEmpty() ? "its log is empty" : log.get(log.size() - 1));
  }

  private static Optional<String> firstOf(List<String> log, String some, String others) {
    return log.stream().filter(line -> line.contains(some) || line.contains(others)).findFirst();
  }

  int port() {
    return port;
  }

  long pid() {
    return postmasterPid;
  }

  boolean isRunning() throws IOException {
    return supervisor.isRunning();
  }

  /** Ends the server by order, if it still runs, and its supervisor. */
  void stop() throws IOException {
    if (!supervisor.stop()) {
      kill();
    }
    supervisor.leave();
  }

  /**
   * Ends the server as a crash would (SIGKILL) and waits until none of its processes is left: only
   * then can another start on the same files.
   */
  void kill() throws IOException {
    Optional<ProcessHandle> postmaster = ProcessHandle.of(postmasterPid);
    if (postmaster.isPresent() && isRunning()) {
      // Else it could make another child after its children have been looked for.
      Supervisor.signal("STOP", postmaster.stream());
    }
    List<ProcessHandle> children =
        postmaster.map(handle -> handle.children().toList()).orElse(List.of());
    if (isRunning()) {
      postmaster.ifPresent(ProcessHandle::destroyForcibly);
    }
    if (!supervisor.ended(KILL_LIMIT)) {
      throw new IllegalStateException("PostgreSQL " + postmasterPid + " survived SIGKILL");
    }
    // They end when they notice; only what hangs is killed. What is stopped cannot notice.
    Supervisor.signal("CONT", children.stream());
    CompletableFuture.allOf(
            children.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, KILL_LIMIT.toSeconds(), TimeUnit.SECONDS)
        .join();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  /** Stops all of its processes; the postmaster first, so that it starts no other. */
  void pause() {
    ProcessHandle postmaster = postmaster();
    Supervisor.signal("STOP", Stream.of(postmaster));
    Supervisor.signal("STOP", postmaster.children());
  }

  /** Lets its processes go on. */
  void resume() {
    Supervisor.signal("CONT", postmaster().children());
    Supervisor.signal("CONT", Stream.of(postmaster()));
  }

  private ProcessHandle postmaster() {
    return ProcessHandle.of(postmasterPid)
        .orElseThrow(() -> new IllegalStateException("PostgreSQL " + postmasterPid + " has ended"));
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
}
