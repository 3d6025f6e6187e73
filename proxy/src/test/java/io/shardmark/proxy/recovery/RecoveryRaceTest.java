package io.shardmark.proxy.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.commit.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * A coordinator that commits one transaction after the other, stops for random moments and often
 * crashes, and two proxies' recoveries that run all the time and give nobody a grace.
 */
final class RecoveryRaceTest {
  private static final int TRANSACTIONS = Integer.getInteger("shardmark.recovery.transactions", 40);
  private static final int LONGEST_PAUSE_MICROS = 3_000;
  private static final RecoveryOptions EAGER =
      new RecoveryOptions(
          Duration.ofHours(1),
          Duration.ZERO,
          Duration.ofSeconds(5),
          Duration.ofSeconds(2),
          Duration.ZERO);

  private final Set<Integer> acknowledged = new TreeSet<>();
  private final Set<Integer> refused = new TreeSet<>();
  private final LongAdder finished = new LongAdder();

  @Test
  void shardsAgreeWhoeverWins() throws SQLException, InterruptedException, ExecutionException {
    long seed = new Random().nextLong();
    TestShards shards = TestShards.create(3);
    shards.execute("CREATE TABLE transfer (id int)");
    assertThat(DecisionTable.create(shards.all(), Set.of())).isEmpty();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    AtomicBoolean over = new AtomicBoolean();
    Future<?> one = threads.submit(() -> recover(shards, over));
    Future<?> two = threads.submit(() -> recover(shards, over));
    try {
      coordinate(shards, new Random(seed));
    } finally {
      over.set(true);
      threads.shutdown();
    }
    one.get();
    two.get();
    assertThat(finished.sum()).as("seed %d: recovery took part", seed).isPositive();
    check(shards, "seed " + seed);
  }

  private void recover(TestShards shards, AtomicBoolean over) {
    try (BackgroundRunner runner = new BackgroundRunner()) {
      Recovery recovery =
          new Recovery(shards.all(), new GidSequence(), EAGER, this::count, report -> {}, runner);
      while (!over.get()) {
        recovery.run();
      }
      // What the coordinator left at its end.
      Await.until(
          "nothing is prepared",
          () -> {
            recovery.run();
            return shards.prepared().isEmpty();
          });
    }
  }

  private void count(Outcome outcome) {
    finished.increment();
  }

  private void coordinate(TestShards shards, Random random) throws SQLException {
    GidSequence gids = new GidSequence();
    for (int id = 0; id < TRANSACTIONS; id++) {
      int stepsToLive = random.nextInt(14);
      int[] steps = {0};
      try (JdbcCoordinator commit =
          new JdbcCoordinator(
              gids.next(List.of("s2")),
              shards.all(),
              step -> {
                LockSupport.parkNanos(random.nextInt(LONGEST_PAUSE_MICROS) * 1_000L);
                if (steps[0]++ == stepsToLive) {
                  throw new JdbcCoordinator.Crash();
                }
              })) {
        Outcome outcome = commit.commit("INSERT INTO transfer VALUES (" + id + ")");
        (outcome == Outcome.COMMITTED ? acknowledged : refused).add(id);
      } catch (JdbcCoordinator.Crash e) {
        // Whole or absent: seen below.
      }
    }
  }

  private void check(TestShards shards, String seed) throws SQLException {
    assertThat(shards.prepared()).as(seed).isEmpty();
    String sql = "SELECT id FROM transfer ORDER BY id";
    List<String> first = TestShards.query(shards.shard(0), sql);
    assertThat(TestShards.query(shards.shard(1), sql)).as(seed).isEqualTo(first);
    assertThat(TestShards.query(shards.shard(2), sql)).as(seed).isEqualTo(first);
    assertThat(first).as(seed).containsAll(acknowledged.stream().map(String::valueOf).toList());
    assertThat(acknowledged).as(seed).isNotEmpty();
    // There may be none on a busy machine.
    assertThat(refused.stream().map(String::valueOf).toList())
        .as(seed)
        .doesNotContainAnyElementsOf(first);
    assertThat(first.size()).as(seed).isLessThan(TRANSACTIONS);
  }
}
