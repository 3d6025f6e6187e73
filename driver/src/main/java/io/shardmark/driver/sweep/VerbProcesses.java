package io.shardmark.driver.sweep;

import io.shardmark.config.Secret;
import io.shardmark.driver.sweep.PointRecord.ChildIdentity;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Verbs of this program, each in its own Java with this one's class path and flags, one at a time.
 * They end with this process. {@link #stop} may come from another thread.
 */
final class VerbProcesses {
  private static final String MAIN = "io.shardmark.driver.Main";

  /** After SIGTERM a run writes its figures; this is longer than it gives itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final Duration CLOCK_ERROR = Duration.ofSeconds(3);

  private static final String ERROR = "ERROR: ";
  private static final int LONGEST_WORDS = 300;

  private @Nullable Process current;
  private boolean stopped;

  /** Receives a process right after its start. */
  @FunctionalInterface
  interface Started {
    void is(ChildIdentity child) throws IOException;
  }

  /**
   * A command line of this program.
   *
   * @param properties to be read in place of those of the file that it names; empty if that is read
   */
  record VerbProcess(List<String> arguments, Secret properties) {
    VerbProcess {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * Runs a verb and waits for its end.
   *
   * @param log gets both its streams, after what is there
   * @return its exit status; that of a process that SIGTERM ended if none is to begin any more
   */
  int run(VerbProcess verb, Path log, Started started) throws IOException, InterruptedException {
    List<String> command = command();
    command.addAll(verb.arguments());
    Process process = begin(command, log);
    if (process == null) {
      return ParentPipe.STATUS;
    }
    try {
      started.is(identity(process.toHandle()));
      sendProperties(verb, process);
      return process.waitFor();
    } finally {
      process.destroyForcibly();
      // Not earlier: the process ends when its input does.
      closePipe(process);
      synchronized (this) {
        current = null;
      }
    }
  }

  private static void sendProperties(VerbProcess verb, Process process) {
    try {
      ParentPipe.write(verb.properties(), process.getOutputStream());
    } catch (IOException e) {
      // It has ended before it read them; its exit status says so.
    }
  }

  private static void closePipe(Process process) {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // What it did not read is still there; it has ended.
    }
  }

  /** Null if none is to begin any more. */
  private synchronized @Nullable Process begin(List<String> command, Path log) throws IOException {
    if (stopped) {
      return null;
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    current = process;
    return process;
  }

  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      // An agent listens on a port or writes a file that is this process's already.
      if (!flag.startsWith("-agent") && !flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.add(ParentPipe.FLAG);
    String classPath = System.getProperty("java.class.path");
    if (classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)) {
      command.addAll(List.of("-jar", classPath));
    } else {
      command.addAll(List.of("-cp", classPath, MAIN));
    }
    return command;
  }

  /** Ends the process under way as SIGTERM does and waits for it; none is begun any more. */
  void stop() {
    Process process;
    synchronized (this) {
      stopped = true;
      process = current;
    }
    if (process == null) {
      return;
    }
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until a process of a sweep that was killed has ended, and ends it if it does not. */
  static void awaitEnd(ChildIdentity child) throws InterruptedException {
    Optional<ProcessHandle> found =
        ProcessHandle.of(child.pid()).filter(handle -> isSame(handle, child));
    if (found.isEmpty()) {
      return;
    }
    try {
      found.get().onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      found.get().destroyForcibly();
    }
  }

  /** The same number and, within the error of a clock that is set meanwhile, the same start. */
  private static boolean isSame(ProcessHandle handle, ChildIdentity child) {
    Optional<Instant> started = handle.info().startInstant();
    return started.isPresent()
        && !child.started().isEmpty()
        && Duration.between(Instant.parse(child.started()), started.get())
                .abs()
                .compareTo(CLOCK_ERROR)
            < 0;
  }

  private static ChildIdentity identity(ProcessHandle handle) {
    return new ChildIdentity(
        handle.pid(), handle.info().startInstant().map(Instant::toString).orElse(""));
  }

  /** The line of a log that says best why its process failed: the last error, or the last line. */
  static String lastWords(Path log) throws IOException {
    String last = "it said nothing";
    String error = "";
    // Unlike that of Files, this reader does not fail at bytes that are not UTF-8.
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(log), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line.isBlank() ? last : line.strip();
        error = line.startsWith(ERROR) ? line.substring(ERROR.length()) : error;
      }
    } catch (NoSuchFileException e) {
      return last;
    }
    String words = error.isEmpty() ? last : error;
    return words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS) + "...";
  }
}
