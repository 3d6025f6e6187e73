package io.shardmark.driver.acid;

import io.shardmark.config.FirstLine;
import io.shardmark.driver.processes.UserCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A crash by commands of the user's, each run by {@code sh -c} with this program's output.
 *
 * @param crashCommand must have failed the system when it ends
 * @param restartCommand may end before the system takes connections
 * @param limit after which a command is ended, as one of an event is when the run ends
 */
public record CommandCrash(String crashCommand, String restartCommand, Duration limit)
    implements Crash {
  /** The server repairs its data after the command has ended. */
  public static final Duration LIMIT = Duration.ofMinutes(10);

  /** From SIGTERM to SIGKILL. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public String name() {
    return "acid.crash";
  }

  @Override
  public void crash() throws IOException, InterruptedException {
    run("acid.crash", crashCommand);
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    run("acid.restart", restartCommand);
  }

  private void run(String key, String line) throws IOException, InterruptedException {
    UserCommand command = new UserCommand(line, ProcessBuilder.Redirect.INHERIT);
    CompletableFuture<Void> late =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS);
    Executor last = CompletableFuture.delayedExecutor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    var unused = late.thenRunAsync(command::cancel).thenRunAsync(command::abandon, last);
    // Ctrl-C does not reach the command's session.
    Thread hook = new Thread(command::cancel);
    beforeTheEnd(Runtime.getRuntime()::addShutdownHook, hook);
    String fault = "";
    try {
      command.run();
    } catch (IOException e) {
      fault = FirstLine.of(e);
    } finally {
      beforeTheEnd(Runtime.getRuntime()::removeShutdownHook, hook);
    }
    if (!late.cancel(false)) {
      fault = "did not end within %d minutes".formatted(limit.toMinutes());
    }
    if (!fault.isEmpty()) {
      throw new IOException("%s %s: %s".formatted(key, fault, line));
    }
  }

  private static void beforeTheEnd(Consumer<Thread> change, Thread hook) {
    try {
      change.accept(hook);
    } catch (IllegalStateException e) {
      // The program ends already, and this command brings the system back.
    }
  }
}
