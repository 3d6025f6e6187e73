package io.shardmark.driver.processes;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command of the user's, by {@code sh -c}, run once. It has its own session where there is
 * setsid, so that Ctrl-C reaches this program alone, which then ends the command by SIGTERM: a
 * script may trap that and put back what it changed. Safe on any thread.
 */
public final class UserCommand {
  private static final String IN_A_SESSION =
      "command -v setsid >/dev/null && exec setsid sh -c \"$1\"; exec sh -c \"$1\"";

  private final String command;
  private final Redirect output;
  private final Set<ProcessHandle> ending = new LinkedHashSet<>();

  /** Null before it begins, and when nothing of it has to end any more. */
  private @Nullable Process process;

  private boolean cancelled;

  public UserCommand(String command, Redirect output) {
    this.command = command;
    this.output = output;
  }

  /**
   * Runs it; returns when it has ended.
   *
   * @throws IOException if it failed
   */
  public void run() throws IOException, InterruptedException {
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
  }

  private synchronized Process start() throws IOException {
    if (cancelled) {
      throw new IOException("was cancelled before it began");
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

  /** It is to end soon. Perhaps before or after it runs. */
  public synchronized void cancel() {
    if (!cancelled) {
      cancelled = true;
      left().forEach(ProcessHandle::destroy);
    }
  }

  /** It was cancelled, and there is no time left to wait for it. */
  public synchronized void abandon() {
    left().forEach(ProcessHandle::destroyForcibly);
  }
}
