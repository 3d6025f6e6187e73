package io.shardmark.sql.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs a short program to its end.
 *
 * @param exitStatus 127 if the program does not exist
 * @param output standard output and standard error together
 */
record ShellCommand(int exitStatus, String output) {
  private static final int NOT_FOUND = 127;

  static ShellCommand run(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    cleanEnvironment(builder);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return new ShellCommand(NOT_FOUND, String.valueOf(e.getMessage()));
    }
    try {
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new ShellCommand(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + command.get(0) + " ran", e);
    } finally {
      process.destroy();
    }
  }

  /** The user's locale and PG* variables must not change what our programs do. */
  static void cleanEnvironment(ProcessBuilder builder) {
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().put("LC_ALL", "C");
  }

  boolean succeeded() {
    return exitStatus == 0;
  }
}
