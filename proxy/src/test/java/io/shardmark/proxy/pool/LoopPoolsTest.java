package io.shardmark.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.scripted.ScriptedPools;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LoopPoolsTest {
  /** The host of a shard that is being added may move. */
  @Test
  void aShardThatDoesNotCountHasNoPools() {
    LoopPools pools = new ScriptedPools(2, ScriptedPools.limits(1)).pools();
    List<ShardPool> ofUser = pools.join("u");
    pools.moved(2);
    pools.cut(2);
    pools.rolesEnded(2, Set.of("u"));
    pools.takeShards(List.of("s1", "s2", "s3"));
    pools.moved(2);
    assertThat(ofUser).hasSize(3);
  }
}
