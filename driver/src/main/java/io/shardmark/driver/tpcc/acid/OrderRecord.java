package io.shardmark.driver.tpcc.acid;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The driver's own record of the orders that the server has acknowledged: one line each, on the
 * disk of this machine before the order counts. Thread-safe.
 */
final class OrderRecord implements AutoCloseable {
  private static final String HEAD = "o_id,o_d_id,o_w_id\n";

  private final FileChannel file;
  private final List<List<Integer>> orders = new ArrayList<>();
  private @Nullable IOException failure;

  /**
   * @param path is written anew
   */
  OrderRecord(Path path) throws IOException {
    file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    write(HEAD);
  }

  /**
   * Returns when it is on disk. The thread must not be interrupted: that closes the file for all.
   */
  synchronized void add(List<Integer> key) throws IOException {
    try {
      write(key.stream().map(String::valueOf).collect(Collectors.joining(",", "", "\n")));
      file.force(false);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
    orders.add(List.copyOf(key));
    notifyAll();
  }

  private void write(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  /**
   * All that were acknowledged.
   *
   * @throws IOException if one could not be recorded
   */
  synchronized List<List<Integer>> orders() throws IOException {
    if (failure != null) {
      throw new IOException("an acknowledged order could not be recorded", failure);
    }
    return List.copyOf(orders);
  }

  /** Waits until there are so many, or until the time is over. */
  synchronized boolean await(int count, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (orders.size() < count) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
