package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.TestShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ShardMonitorsTest {
  /** Says nothing until it is told to. */
  private record Silent(ShardAccess shard, CountDownLatch speaks) implements ShardAccess {
    @Override
    public String name() {
      return shard.name();
    }

    @Override
    public Connection open() throws SQLException {
      try {
        speaks.await();
      } catch (InterruptedException e) {
        throw new SQLException(e);
      }
      return shard.open();
    }
  }

  @Test
  void aSilentShardIsNotWaitedForAndUsedWhenItSpeaks() throws SQLException {
    CountDownLatch speaks = new CountDownLatch(1);
    TestShards shards = TestShards.create(2);
    List<ShardAccess> access = List.of(new Silent(shards.shard(0), speaks), shards.shard(1));
    try (BackgroundRunner runner = new BackgroundRunner();
        ShardMonitors monitors = new ShardMonitors(access, Duration.ofSeconds(2), runner)) {
      // A first connection may take its time, and who was late is not waited for again.
      awaitAnswers(monitors, Set.of(1));
      for (int look = 0; look < 3; look++) {
        ShardMonitors.Answers answers = awaitAnswers(monitors, Set.of(1));
        assertThat(answers.unreachable()).isEqualTo(Map.of("s0", "it does not answer"));
      }
      speaks.countDown();
      awaitAnswers(monitors, Set.of(0, 1));
    }
  }

  private static ShardMonitors.Answers awaitAnswers(ShardMonitors monitors, Set<Integer> expected) {
    return Await.value(
        "answers",
        () -> monitors.look(Duration.ZERO),
        answers -> answers.waits().isEmpty() && answers.byShard().keySet().equals(expected));
  }
}
