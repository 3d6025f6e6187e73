package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.growth.Cutover.BusyException;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class FreshMapTest {
  @Test
  void aReadingThatFailsOrTakesTooLongIsTriedAgainLater() throws Exception {
    ShardMap map = new ShardMap(List.of("s1"), Map.of(), 1);
    assertThat(new FreshMap(() -> CompletableFuture.completedStage(map)).read()).isSameAs(map);
    CompletableFuture<ShardMap> later = new CompletableFuture<>();
    assertThatThrownBy(() -> new FreshMap(() -> later).read(1))
        .isInstanceOf(BusyException.class)
        .hasMessage("the catalogs of the shards cannot be read");
    assertThat(later).as("others may wait for it").isNotDone();
    FreshMap failing =
        new FreshMap(() -> CompletableFuture.failedStage(new IllegalStateException()));
    assertThatThrownBy(failing::read).isInstanceOf(BusyException.class);
  }
}
