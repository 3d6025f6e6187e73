package io.shardmark.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.Await;
import io.shardmark.proxy.TwoShards;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.shardmap.LiveShardMap;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.TableName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    }
  }
}
