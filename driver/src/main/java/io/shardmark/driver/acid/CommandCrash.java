package io.shardmark.driver.acid;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A crash by commands of the user's, each run by {@code sh -c} with this program's output.
 *
 * @param crashCommand must have failed the system when it ends
 * @param restartCommand may end before the system takes connections
 */
public record CommandCrash(String crashCommand, String restartCommand) implements Crash {
  /** The server repairs its data after the command has ended. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

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

  private static void run(String key, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(
          "%s did not end within %d minutes: %s".formatted(key, LIMIT.toMinutes(), command));
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          "%s ended with status %d: %s".formatted(key, process.exitValue(), command));
    }
  }
}
