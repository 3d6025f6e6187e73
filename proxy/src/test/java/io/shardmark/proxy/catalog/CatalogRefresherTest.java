package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.TwoShards;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.shardmap.LiveShardMap;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CatalogRefresherTest {
  @TempDir private Path directory;

  @Test
  void publishesWhatWasCommittedBeforeTheCall() throws Exception {
    TwoShards shards = TwoShards.create();
    Path file = directory.resolve("proxy.yaml");
    Files.writeString(file, shards.yaml());
    ProxyConfig config = ProxyConfig.read(file);
    CatalogReader reader = new CatalogReader(new ShardConnections(config), Clock.systemUTC());
    LiveShardMap live = new LiveShardMap(reader.last().map());
    ProxyMetrics metrics = new ProxyMetrics(List.of("s1", "s2"));
    CatalogRefresher.RefresherSettings settings =
        new CatalogRefresher.RefresherSettings(() -> Map.of(), () -> Duration.ZERO);
    try (reader;
        BackgroundRunner runner = new BackgroundRunner()) {
      CatalogRefresher refresher = new CatalogRefresher(reader, live, settings, metrics, runner);
      ShardMap first = Await.result(refresher.refresh().toCompletableFuture());
      assertThat(first.tables()).isEmpty();

      shards.executeOnBoth("create table t (a integer)");
      Await.result(refresher.refresh().toCompletableFuture());

      assertThat(live.get().table(new TableName("public", "t"))).isNotNull();
      assertThat(live.get().version()).isGreaterThan(first.version());
      assertThat(refresher.status())
          .extracting(ShardStatus::state)
          .containsExactly(ShardStatus.ShardState.UP, ShardStatus.ShardState.UP);
      assertThat(metrics.numbers()).containsEntry("catalog_reads", 2L);

      TableName halves = new TableName("public", "halves");
      shards.execute(
          1, "begin", "create table halves (a int)", "prepare transaction 'shardmark:halves'");
      shards.execute(0, "create table halves (a int)");
      CompletableFuture<ShardMap> whole = refresher.refresh().toCompletableFuture();
      Await.until("a reading", () -> reader.last().map().table(halves) != null);
      assertThat(whole).isNotDone();
      assertThat(live.get().table(halves)).isNull();
      shards.execute(1, "commit prepared 'shardmark:halves'");
      assertThat(Await.result(whole).table(halves))
          .extracting(Table::sharding)
          .isEqualTo(new Sharding.Reference());

      TableName later = new TableName("public", "later");
      AtomicInteger busy = new AtomicInteger(2);
      refresher.whenShardsCount(
          names -> live.get().table(later) == null && busy.getAndDecrement() == 0, name -> {});
      shards.executeOnBoth("create table later (a int)");
      ShardMap taken = Await.result(refresher.refresh().toCompletableFuture());
      assertThat(taken.table(later)).isNotNull();
      assertThat(busy).hasValue(-1);
    }
  }
}
