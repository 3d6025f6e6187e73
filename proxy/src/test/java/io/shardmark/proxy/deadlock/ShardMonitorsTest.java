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

  private static ShardMonitors.Answers<String> names(ShardMonitors monitors) {
    return monitors.askAll(
        monitor -> {
          assertThat(monitor.look(Duration.ZERO).waits()).isEmpty();
          return monitor.shardName();
        });
  }

  @Test
  void aSilentShardIsNotWaitedForAndUsedWhenItSpeaks() throws SQLException {
    CountDownLatch speaks = new CountDownLatch(1);
    TestShards shards = TestShards.create(2);
    List<ShardAccess> access = List.of(new Silent(shards.shard(0), speaks), shards.shard(1));
    try (BackgroundRunner runner = new BackgroundRunner();
        ShardMonitors monitors = new ShardMonitors(access, Duration.ofSeconds(2), runner)) {
      // A first connection may take its time, and who was late is not waited for again.
      awaitAnswers(monitors, Map.of(1, "s1"));
      for (int look = 0; look < 3; look++) {
        ShardMonitors.Answers<String> answers = awaitAnswers(monitors, Map.of(1, "s1"));
        assertThat(answers.unreachable()).isEqualTo(Map.of("s0", "it does not answer"));
      }
      speaks.countDown();
      awaitAnswers(monitors, Map.of(0, "s0", 1, "s1"));
    }
  }

  private static ShardMonitors.Answers<String> awaitAnswers(
      ShardMonitors monitors, Map<Integer, String> expected) {
    return Await.value(
        "answers", () -> names(monitors), answers -> answers.byShard().equals(expected));
  }
}
