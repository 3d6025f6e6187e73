package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** Two clients of the proxy that lock two rows of two shards crosswise. */
final class CrossShardDeadlockTest {
  private record Shard(RunningProxy proxy, int index) implements ShardAccess {
    @Override
    public String name() {
      return "s" + index;
    }

    @Override
    public Connection open() throws SQLException {
      return proxy.shard(index);
    }
  }

  @Test
  void oneGets40P01AndTheOtherGoesOn() throws Exception {
    try (RunningProxy proxy = RunningProxy.start(2)) {
      proxy.onShards(
          "create table item (id int, n int) partition by hash (id);"
              + "create table item_part partition of item for values with (modulus 2, remainder"
              + " $shard); insert into item select id, 0 from generate_series(1, 50) id where"
              + " satisfies_hash_partition('item'::regclass, 2, $shard, id)");
      proxy.refresh();
      List<ShardAccess> shards = List.of(new Shard(proxy, 0), new Shard(proxy, 1));
      int first = anyRow(proxy, 0);
      int second = anyRow(proxy, 1);
      LongAdder broken = new LongAdder();
      try (DeadlockDetector detector =
              new DeadlockDetector(shards, proxy.server().transactions(), broken::increment);
          Connection one = proxy.connect();
          Connection other = proxy.connect()) {
        one.setAutoCommit(false);
        other.setAutoCommit(false);
        update(one, first);
        update(other, second);
        CompletableFuture<String> ofOne = later(one, second);
        CompletableFuture<String> ofOther = later(other, first);
        detector.start(Duration.ofMillis(100));
        CompletableFuture.anyOf(ofOne, ofOther).get(1, TimeUnit.MINUTES);
        Connection failed = ofOne.isDone() && ofOne.join().equals("40P01") ? one : other;
        failed.rollback();
        List<String> outcomes = new ArrayList<>(List.of(ofOne.get(), ofOther.get()));
        assertThat(outcomes).containsExactlyInAnyOrder("40P01", "updated");
        (failed == one ? other : one).commit();
        assertThat(broken.sum()).isEqualTo(1);
      }
    }
  }

  private static int anyRow(RunningProxy proxy, int shard) throws SQLException {
    try (Connection connection = proxy.shard(shard);
        Statement statement = connection.createStatement();
        var row = statement.executeQuery("select min(id) from item")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  private static void update(Connection connection, int id) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("update item set n = n + 1 where id = " + id))
          .isEqualTo(1);
    }
  }

  private static CompletableFuture<String> later(Connection connection, int id) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            update(connection, id);
            return "updated";
          } catch (SQLException e) {
            return e.getSQLState();
          }
        });
  }
}
