package io.shardmark.driver.run;

import io.shardmark.driver.measure.ObserverThread;
import io.shardmark.driver.result.ClientFile;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.selfcheck.ClientObserver;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes what this process uses into {@code client.csv}, a row each second and one at the end, in a
 * thread of its own: the main thread may wait for terminals meanwhile.
 */
final class ClientRecording implements AutoCloseable {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ClientFile file;
  private final Consumer<String> onFailure;
  private final ClientObserver observer = ClientObserver.start();
  private final long startNanos = System.nanoTime();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  private ClientRecording(ClientFile file, Consumer<String> onFailure) {
    this.file = file;
    this.onFailure = onFailure;
    thread = ObserverThread.of("client-figures", "client.csv", onFailure, this::record);
  }

  /**
   * Makes the file and starts.
   *
   * @param onFailure receives one line if the file cannot be written later
   * @throws IOException if it cannot be made
   */
  static ClientRecording start(ResultDirectory directory, int run, Consumer<String> onFailure)
      throws IOException {
    ClientRecording recording = new ClientRecording(ClientFile.open(directory, run), onFailure);
    recording.thread.start();
    return recording;
  }

  private void record() {
    try (file) {
      boolean last = false;
      for (long tick = 1; !last; tick++) {
        long now = System.nanoTime();
        // A machine that was asleep leaves out rows and does not make up for them.
        tick = Math.max(tick, (now - startNanos) / PERIOD_NANOS + 1);
        last = closing.await(startNanos + tick * PERIOD_NANOS - now, TimeUnit.NANOSECONDS);
        long elapsed = System.nanoTime() - startNanos;
        file.write(TimeUnit.NANOSECONDS.toMillis(elapsed), observer.next());
      }
    } catch (IOException e) {
      onFailure.accept("client.csv: cannot be written: " + e.getMessage() + "; it ends here");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      observer.close();
    }
  }

  /** Writes the last row and closes the file. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
