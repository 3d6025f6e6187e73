package io.shardmark.driver.adversity;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A command of the user's, by {@code sh -c}. */
final class ShellEvent implements EventAction {
  private final String command;
  private final Redirect output;
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
        new ProcessBuilder("sh", "-c", command)
            .redirectOutput(output)
            .redirectError(output)
            .start();
    return process;
  }

  @Override
  public synchronized void cancel() {
    cancelled = true;
    if (process != null) {
      Stream.concat(process.descendants(), Stream.of(process.toHandle()))
          .forEach(ProcessHandle::destroyForcibly);
    }
  }
}
