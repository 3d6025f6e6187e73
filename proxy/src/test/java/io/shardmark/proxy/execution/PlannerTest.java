package io.shardmark.proxy.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Target;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Plans of several event loops, each with the shard map that it has seen last. */
final class PlannerTest {
  private static final List<String> PATH = List.of("public");
  private static final String SQL = "select v from t";

  /** A partition on another shard in each version. */
  private static ShardMap map(int version) {
    TableName name = new TableName("public", "t");
    Table table =
        new Table(name, new Sharding.OnShard(version), List.of(new Column("v", 23, true)));
    return new ShardMap(List.of("s0", "s1", "s2", "s3"), Map.of(name, table), version);
  }

  private static int shard(StatementPlan plan) {
    return ((Target.Fixed) ((StatementPlan.QueryPlan) plan).target()).shard();
  }

  private static void assertPlansFor(int version, ExecutionPlanner planner) {
    assertThat(planner.version()).isEqualTo(version);
    assertThat(shard(planner.extended(SQL, PATH).plan())).isEqualTo(version);
    assertThat(shard(planner.simple(SQL, PATH).get(0).planned().plan())).isEqualTo(version);
  }

  /** One loop has looked at the map, and is held up before it makes use of it. */
  @Test
  void aSlowLoopGivesNoOtherLoopPlansOfAnOlderMap() {
    ShardMap first = map(1);
    AtomicReference<ShardMap> now = new AtomicReference<>(first);
    PlanCache cache =
        new PlanCache(
            (sql, tokens, tables) -> {
              throw new AssertionError("no DDL: " + sql);
            });
    LoopCounters counters = new ProxyMetrics(first.shards()).newLoop();
    ExecutionPlanner quick = new ExecutionPlanner(cache, now::get, counters);
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    Supplier<ShardMap> held =
        () -> {
          ShardMap seen = now.get();
          meanwhile.getAndSet(() -> {}).run();
          return seen;
        };
    ExecutionPlanner slow = new ExecutionPlanner(cache, held, counters);
    assertPlansFor(1, quick);
    assertPlansFor(1, slow);
    now.set(map(2));
    meanwhile.set(
        () -> {
          now.set(map(3));
          assertPlansFor(3, quick);
        });
    assertThat(slow.version()).isEqualTo(2);
    assertPlansFor(3, quick);
    assertPlansFor(3, slow);
    assertPlansFor(3, quick);
  }
}
