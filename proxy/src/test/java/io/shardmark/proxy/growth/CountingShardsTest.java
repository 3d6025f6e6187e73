package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.commit.CommitSql;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.TestShards;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which shards count when a proxy starts and the last of them cannot be reached. */
final class CountingShardsTest {
  private record Away(String name) implements ShardAccess {
    @Override
    public Connection open() throws SQLException {
      throw new SQLException("it is away");
    }
  }

  @ParameterizedTest
  @CsvSource({"making, 2", "copied, 2", "undoing, 2", "undone, 2", "counts, 3", "done, 3"})
  void theRowOfAnAdditionDecides(String stage, int counting) throws SQLException {
    TestShards shards = TestShards.create(2);
    TestShards.execute(shards.shard(0), CommitSql.CREATE_SCHEMA);
    TestShards.execute(shards.shard(0), AdditionSql.CREATE_TABLE);
    TestShards.execute(
        shards.shard(0), "INSERT INTO shardmark.addition VALUES ('s2', 2, '%s')".formatted(stage));
    assertThat(Growth.counting(List.of(shards.shard(0), shards.shard(1), new Away("s2"))))
        .isEqualTo(counting);
  }

  /** The mark of a new shard is removed later than it begins to count. */
  @Test
  void anyShardThatAnswersSaysWhichCount() throws SQLException {
    TestShards shards = TestShards.create(3);
    List<ShardAccess> all = List.of(new Away("s0"), shards.shard(1), shards.shard(2));
    TestShards.execute(shards.shard(1), CommitSql.CREATE_SCHEMA);
    TestShards.execute(shards.shard(1), AdditionSql.CREATE_TABLE);
    TestShards.execute(shards.shard(2), CommitSql.CREATE_SCHEMA);
    TestShards.execute(shards.shard(2), AdditionSql.MARK);
    assertThat(Growth.counting(all)).isEqualTo(2);
    try (Connection connection = shards.shard(1).open()) {
      ShardSql.execute(connection, AdditionSql.COUNTS, "s2", 2);
    }
    assertThat(Growth.counting(all)).isEqualTo(3);
  }
}
