package io.shardmark.proxy.growth;

import io.shardmark.proxy.growth.Cutover.BusyException;
import io.shardmark.proxy.shardmap.ShardMap;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The map with everything that has been committed, not that of the last look. Any thread; blocks.
 *
 * @param reading begins to read it
 */
record FreshMap(Supplier<CompletionStage<ShardMap>> reading) {
  /** For a reading that no client waits for. */
  private static final Duration LONGEST_READING = Duration.ofSeconds(10);

  ShardMap read() throws BusyException, InterruptedException {
    return read(LONGEST_READING.toMillis());
  }

  ShardMap read(long millis) throws BusyException, InterruptedException {
    try {
      return reading.get().toCompletableFuture().get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new BusyException("the catalogs of the shards cannot be read");
    }
  }
}
