package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.server.Twins.Batch;
import io.shardmark.proxy.server.Twins.Sent;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a client sends, through the proxy it is answered as by a plain server, message by
 * message, and leaves the same rows. {@code -Dpipelines.minutes=60} makes it an hour for each
 * number of shards, {@code -Dpipelines.seed=...} begins with a seed that was printed.
 */
final class RandomPipelineTest {
  private static final int CASES = 100;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void isAnsweredAsByAPlainServer(int shards) throws Exception {
    long seed = Long.getLong("pipelines.seed", System.nanoTime());
    System.out.println(shards + " shards: RandomPipelineTest seed " + seed);
    long endNanos =
        System.nanoTime() + Duration.ofMinutes(Long.getLong("pipelines.minutes", 0)).toNanos();
    try (Twins twins = new Twins(shards, "cross_shard_isolation: per_shard")) {
      long cases = 0;
      for (long now = seed; cases < CASES || System.nanoTime() < endNanos; now++, cases++) {
        List<Batch> batches = new RandomPipeline(new Random(now)).next();
        if (!isSame(twins, batches)) {
          List<Batch> smallest = smallest(twins, batches);
          twins.renew();
          List<String> expected = twins.expected(smallest);
          assertThat(twins.found(smallest))
              .as("%d shards, -Dpipelines.seed=%d: %s", shards, now, smallest)
              .isEqualTo(expected);
        }
      }
    }
  }

  static boolean isSame(Twins twins, List<Batch> batches) throws SQLException, IOException {
    twins.renew();
    List<String> expected = twins.expected(batches);
    try {
      return twins.found(batches).equals(expected);
    } catch (IOException e) {
      return false;
    }
  }

  /** Without what the difference does not need. */
  static List<Batch> smallest(Twins twins, List<Batch> batches) throws SQLException, IOException {
    List<Batch> now = batches;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (List<Batch> next : shorter(now)) {
        if (!isSame(twins, next)) {
          now = next;
          smaller = true;
          break;
        }
      }
    }
    return now;
  }

  /** Each without one batch or one message. */
  private static List<List<Batch>> shorter(List<Batch> batches) {
    List<List<Batch>> all = new ArrayList<>();
    for (int i = 0; i < batches.size(); i++) {
      List<Batch> without = new ArrayList<>(batches);
      without.remove(i);
      all.add(without);
    }
    for (int i = 0; i < batches.size(); i++) {
      List<Sent> messages = batches.get(i).messages();
      for (int at = 0; at < messages.size(); at++) {
        List<Sent> fewer = new ArrayList<>(messages);
        fewer.remove(at);
        if (!fewer.isEmpty() && fewer.get(fewer.size() - 1).ready()) {
          List<Batch> changed = new ArrayList<>(batches);
          changed.set(i, new Batch(fewer));
          all.add(changed);
        }
      }
    }
    return all;
  }
}
