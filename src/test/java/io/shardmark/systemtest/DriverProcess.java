package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A running driver, proxy or client: its output as it comes, signals, and its end. Used by one
 * thread.
 */
final class DriverProcess implements AutoCloseable {
  /** Long enough for a machine that does many other things; only a hang takes longer. */
  static final Duration PATIENCE = Duration.ofMinutes(4);

  static final long PATIENCE_SECONDS = PATIENCE.toSeconds();

  private final Process process;
  private final Capture out;
  private final Capture err;

  DriverProcess(Process process) {
    this.process = process;
    out = new Capture(process.getInputStream());
    err = new Capture(process.getErrorStream());
  }

  /** How a driver ended and everything it said. */
  record Finished(int status, String out, String err) {
    /** Both streams. */
    String all() {
      return out + err;
    }

    Finished succeeded() {
      assertThat(status).as("exit status of%n%s%n%s", out, err).isZero();
      return this;
    }

    /** Failed for the user's fault: status, one line on standard error, no stack trace anywhere. */
    Finished failedWithOneLine(int expectedStatus, String... parts) {
      assertThat(status).as("exit status of%n%s%n%s", out, err).isEqualTo(expectedStatus);
      List<String> errors = err.lines().filter(line -> !line.startsWith("WARNING:")).toList();
      assertThat(errors).as("lines on standard error, after%n%s", out).hasSize(1);
      assertThat(errors.get(0)).contains(parts);
      return withoutTrace();
    }

    Finished withoutTrace() {
      assertThat(all()).doesNotContain("\tat ").doesNotContain("Exception in thread");
      return this;
    }
  }

  long pid() {
    return process.pid();
  }

  /** Waits until standard output holds a text. */
  void awaitOutput(String text) throws InterruptedException {
    await(out, text);
  }

  /** Waits until standard error holds a text. */
  void awaitError(String text) throws InterruptedException {
    await(err, text);
  }

  /** Standard output so far. */
  String output() {
    return out.text();
  }

  private void await(Capture stream, String text) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    if (!stream.await(text, deadline)) {
      throw new AssertionError(
          "\"%s\" does not come in the output:%n%s%n%s".formatted(text, out.text(), err.text()));
    }
  }

  /** Standard error so far. */
  String error() {
    return err.text();
  }

  /** Waits for a line that comes after what was said so far. */
  void awaitNewOutput(String text) throws InterruptedException {
    out.skip();
    awaitOutput(text);
  }

  /** Waits for a line on standard error that comes after what was said there so far. */
  void awaitNewError(String text) throws InterruptedException {
    err.skip();
    awaitError(text);
  }

  /**
   * @param name INT, TERM or KILL
   */
  void signal(String name) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
            .inheritIO()
            .start()
            .waitFor();
    assertThat(status).as("kill -%s", name).isZero();
  }

  /** Waits for its end. */
  Finished await() throws InterruptedException {
    return await(PATIENCE_SECONDS);
  }

  Finished await(long seconds) throws InterruptedException {
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    assertThat(ended)
        .as("ended within %d s, after%n%s%n%s", seconds, out.text(), err.text())
        .isTrue();
    return new Finished(process.exitValue(), out.whole(), err.whole());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** One stream, read by a thread of its own. */
  private static final class Capture {
    private final StringBuilder text = new StringBuilder();
    private final Thread reader;
    private int searchFrom;
    private boolean ended;

    Capture(InputStream stream) {
      reader = new Thread(() -> read(stream), "capture");
      reader.setDaemon(true);
      reader.start();
    }

    private void read(InputStream stream) {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
        char[] buffer = new char[8192];
        int length = lines.read(buffer);
        while (length >= 0) {
          append(new String(buffer, 0, length));
          length = lines.read(buffer);
        }
      } catch (IOException e) {
        append("(%s)%n".formatted(e)); // whoever closes a process that runs wants no more of it
      } finally {
        end();
      }
    }

    private synchronized void append(String part) {
      text.append(part);
      notifyAll();
    }

    private synchronized void end() {
      ended = true;
      notifyAll();
    }

    synchronized void skip() {
      searchFrom = text.length();
    }

    /** False if it did not come in time, or the stream ended without it. */
    synchronized boolean await(String wanted, long deadlineNanos) throws InterruptedException {
      while (text.indexOf(wanted, searchFrom) < 0) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (ended || left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    }

    synchronized String text() {
      return text.toString();
    }

    String whole() throws InterruptedException {
      reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
      return text();
    }
  }
}
