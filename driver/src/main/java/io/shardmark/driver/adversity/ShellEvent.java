package io.shardmark.driver.adversity;

import io.shardmark.driver.processes.ProcessStat;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command of the user's, by {@code sh -c}. It runs in a new session where there is setsid, so
 * that Ctrl-C reaches the run alone, which then ends the command by SIGTERM: a script may trap that
 * and put back what it changed.
 */
final class ShellEvent implements EventAction {
  private static final String IN_A_SESSION =
      "command -v setsid >/dev/null && exec setsid sh -c \"$1\"; exec sh -c \"$1\"";

  private final String command;
  private final Redirect output;
  private final Set<ProcessHandle> ending = new LinkedHashSet<>();

  /** Null before it begins, and when nothing of it has to end any more. */
  private @Nullable Process process;

  private boolean cancelled;

  /**
   * @param log what its output is added to; empty if nobody keeps it
   */
  ShellEvent(String command, Optional<Path> log) {
    this.command = command;
    output = log.map(file -> Redirect.appendTo(file.toFile())).orElse(Redirect.DISCARD);
  }

  @Override
  public String run() throws IOException, InterruptedException {
    Process started = start();
    started.getOutputStream().close();
    int status = started.waitFor();
    // What a shell that has ended began may still put something back.
    Set<ProcessHandle> awaited = new HashSet<>();
    for (List<ProcessHandle> left = left(); awaited.addAll(left); left = left()) {
      left.forEach(one -> one.onExit().join());
    }
    if (status != 0) {
      throw new IOException("ended with status " + status);
    }
    return "";
  }

  private synchronized Process start() throws IOException {
    if (cancelled) {
      throw new IOException("the run was over");
    }
    process =
        new ProcessBuilder("sh", "-c", IN_A_SESSION, "sh", command)
            .redirectOutput(output)
            .redirectError(output)
            .start();
    return process;
  }

  /**
   * What has not ended of a cancelled command, its shell first: else that would go on with the next
   * command of its list. A command that ended before may have left a server running.
   */
  private synchronized List<ProcessHandle> left() {
    if (process != null && cancelled) {
      ProcessHandle shell = process.toHandle();
      // A process whose parent has ended is no descendant, but it is in the session.
      Stream.concat(Stream.of(shell), ProcessStat.ofSession(shell.pid()))
          .flatMap(one -> Stream.concat(Stream.of(one), one.descendants()))
          .forEach(ending::add);
    }
    ending.removeIf(one -> !one.isAlive());
    process = ending.isEmpty() ? null : process;
    return List.copyOf(ending);
  }

  @Override
  public synchronized void cancel() {
    if (!cancelled) {
      cancelled = true;
      left().forEach(ProcessHandle::destroy);
    }
  }

  @Override
  public synchronized void abandon() {
    left().forEach(ProcessHandle::destroyForcibly);
  }
}
