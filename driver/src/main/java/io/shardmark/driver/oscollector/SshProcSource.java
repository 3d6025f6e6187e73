package io.shardmark.driver.oscollector;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Linux machine behind the system's {@code ssh}, with key login. One shell loop runs there as
 * long as the connection holds: for each line we send it prints the files. It ends with the
 * connection, so nothing is left behind there, and needs no more than a shell, cat and grep.
 */
final class SshProcSource implements SnapshotSource {
  private static final String END = "@end";

  /** From the end of its streams to its own: nothing, but on a machine that is held up. */
  private static final long LAST_WORDS_SECONDS = 10;

  /** No single quote in it: it is the argument of {@code sh -c '...'} in whatever login shell. */
  private static final String LOOP =
      "while read -r tick; do echo @uptime; cat /proc/uptime;"
          + " echo @stat; grep \"^cpu \" /proc/stat;"
          + " echo @vmstat; grep \"^nr_dirty \" /proc/vmstat;"
          + " echo @diskstats; cat /proc/diskstats;"
          + " echo @disks; for d in /sys/block/*/device; do echo $d; done;"
          + " echo @net; cat /proc/net/dev; echo "
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
  private @Nullable Process process; // guarded by this
  private boolean closed; // guarded by this

  /**
   * @param ssh the program and options of the caller's own, usually just {@code ssh}
   * @param address {@code user@host} or {@code ssh://user@host:port}
   */
  SshProcSource(List<String> ssh, String address) {
    List<String> words = new ArrayList<>(ssh);
    words.addAll(OPTIONS);
    words.add("--");
    words.add(address);
    words.add("sh -c '" + LOOP + "'");
    this.command = List.copyOf(words);
  }

  @Override
  public SystemSnapshot take() throws IOException {
    Process connected = connect();
    List<String> answer;
    try {
      connected.getOutputStream().write('\n');
      connected.getOutputStream().flush();
      answer = answer(connected);
    } catch (IOException e) {
      throw new IOException(lastWords(connected, e), e);
    }
    try {
      return ProcText.parse(answer);
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

  /** Of an ssh that has closed its streams: its own words about the reason where it has any. */
  private String lastWords(Process connected, IOException cause) {
    try {
      // destroy() would close the streams of a process that is about to tell us what went wrong
      if (connected.waitFor(LAST_WORDS_SECONDS, TimeUnit.SECONDS)) {
        return lastError(connected).orElse(String.valueOf(cause.getMessage()));
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
    String last = "";
    try (BufferedReader reader = ended.errorReader(StandardCharsets.ISO_8859_1)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        last = line.isBlank() ? last : line.strip();
      }
    } catch (IOException e) {
      return Optional.empty(); // closed meanwhile: nobody wants to know any more
    }
    return last.isEmpty() ? Optional.empty() : Optional.of(last);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (process != null) {
      process.destroy();
    }
  }
}
