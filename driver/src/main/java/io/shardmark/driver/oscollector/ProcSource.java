package io.shardmark.driver.oscollector;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Linux machine: this one, or one reached by the system's {@code ssh} with key login. One shell
 * loop runs there as long as the connection holds: for each line we send it prints the files. It
 * ends with the connection, so nothing is left there, and needs no more than a shell and grep.
 */
final class ProcSource implements SnapshotSource {
  private static final String END = "@end";

  /** From the end of its streams to its own: nothing, but on a machine that is held up. */
  private static final long LAST_WORDS_SECONDS = 10;

  /**
   * No single quote in it: it is the argument of {@code sh -c '...'} in whatever login shell. Each
   * line begins with its file. A file that a container hides has no lines. A Ctrl-C on the terminal
   * leaves it alone: the run goes on until it has ended in order.
   */
  private static final String LOOP =
      "trap \"\" INT; cd \"${1:-/}\"; while read -r tick; do"
          + " grep -s -e \"^cpu \" -e \"^nr_dirty \" proc/stat proc/vmstat;"
          + " grep -s \"\" proc/uptime proc/diskstats proc/net/dev;"
          + " echo disks: sys/block/*/device; echo "
          + END
          + "; done";

  private static final List<String> OPTIONS =
      List.of(
          "-T", // no terminal
          "-o",
          "BatchMode=yes", // never ask for a password: nobody is there to answer
          "-o",
          "ConnectTimeout=10",
          "-o",
          "ServerAliveInterval=5", // a dead network ends ssh, and with it the reading
          "-o",
          "ServerAliveCountMax=3",
          "-o",
          "LogLevel=ERROR");

  private final List<String> command;
  private final boolean isHere;
  private @Nullable Process process; // guarded by this
  private boolean closed; // guarded by this

  private ProcSource(List<String> command, boolean isHere) {
    this.command = List.copyOf(command);
    this.isHere = isHere;
  }

  /**
   * This machine.
   *
   * @param root the directory that holds {@code proc} and {@code sys}
   */
  static ProcSource here(Path root) {
    return new ProcSource(List.of("sh", "-c", LOOP, "sh", root.toString()), true);
  }

  /**
   * Another machine.
   *
   * @param ssh the program and options of the caller's own, usually just {@code ssh}
   * @param address {@code user@host} or {@code ssh://user@host:port}
   */
  static ProcSource over(List<String> ssh, String address) {
    List<String> words = new ArrayList<>(ssh);
    words.addAll(OPTIONS);
    words.addAll(List.of("--", address, "sh -c '" + LOOP + "'"));
    return new ProcSource(words, false);
  }

  @Override
  public MachineCounters take() throws IOException {
    Process connected = connect();
    List<String> answer;
    try {
      connected.getOutputStream().write('\n');
      connected.getOutputStream().flush();
      answer = answer(connected);
    } catch (IOException e) {
      throw new IOException(lastWords(connected, e), e);
    }
    long now = System.nanoTime();
    try {
      MachineCounters snapshot = ProcText.parse(answer);
      // Finer than /proc/uptime, which has hundredths of a second.
      return isHere ? snapshot.at(now) : snapshot;
    } catch (IOException e) {
      forget(connected);
      throw e;
    }
  }

  private synchronized Process connect() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    if (process == null) {
      process = new ProcessBuilder(command).start();
    }
    return process;
  }

  private static List<String> answer(Process connected) throws IOException {
    BufferedReader reader = connected.inputReader(StandardCharsets.ISO_8859_1);
    List<String> lines = new ArrayList<>();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      if (line.equals(END)) {
        return lines;
      }
      lines.add(line);
    }
    throw new IOException("connection ended");
  }

  /** Of a process that has closed its streams: its own words about the reason where it has any. */
  private String lastWords(Process connected, IOException cause) {
    try {
      // destroy() would close the streams of a process that is about to report what went wrong
      if (connected.waitFor(LAST_WORDS_SECONDS, TimeUnit.SECONDS)) {
        return lastError(connected).map(String::strip).orElse(String.valueOf(cause.getMessage()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      forget(connected);
    }
    return String.valueOf(cause.getMessage());
  }

  private synchronized void forget(Process connected) {
    process = null;
    connected.destroy();
  }

  private static Optional<String> lastError(Process ended) {
    try (BufferedReader errors = ended.errorReader(StandardCharsets.ISO_8859_1)) {
      return errors.lines().filter(line -> !line.isBlank()).reduce((line, next) -> next);
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty(); // closed meanwhile: nobody wants to know any more
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (process != null) {
      process.destroy();
    }
  }
}
