package io.shardmark.proxy.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.background.BackgroundRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ShardIdentitiesTest {
  private record Unreachable(String name) implements ShardAccess {
    @Override
    public Connection open() throws SQLException {
      throw new SQLException("refused", "08001");
    }
  }

  /** What the first look has found may be the database of before. */
  @Test
  void aShardThatMovesDuringALookIsLookedAtAgain() throws Exception {
    ShardAccess shard = TestShards.create(1).shard(0);
    AtomicInteger looks = new AtomicInteger();
    List<ShardIdentities> made = new ArrayList<>();
    ShardAccess moving =
        new ShardAccess() {
          @Override
          public String name() {
            return shard.name();
          }

          @Override
          public Connection open() throws SQLException {
            if (looks.incrementAndGet() == 1) {
              made.get(0).checkAnew(name());
            }
            return shard.open();
          }
        };
    try (BackgroundRunner runner = new BackgroundRunner()) {
      ShardIdentities identities = new ShardIdentities(List.of(moving), runner);
      made.add(identities);
      identities.checkAtStart();
      Await.until("it is open", () -> identities.whyClosed(shard.name()).isEmpty());
      assertThat(looks).hasValue(2);
    }
  }

  @Test
  void aShardIsClosedFromTheMomentInWhichItCounts() {
    try (BackgroundRunner runner = new BackgroundRunner()) {
      List<ShardAccess> shards = new ArrayList<>(List.of(new Unreachable("s1")));
      ShardIdentities identities = new ShardIdentities(shards, runner);
      shards.add(new Unreachable("s2"));
      assertThat(identities.whyClosed("s2")).isEqualTo("it has not been reached yet");
      assertThat(identities.whyClosedIfCounting("s3")).isEmpty();
    }
  }
}
