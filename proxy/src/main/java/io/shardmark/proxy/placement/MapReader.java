package io.shardmark.proxy.placement;

import io.shardmark.proxy.catalog.CatalogRefresher;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * How the shard map is read anew. Its methods do not block and are for any thread.
 *
 * @param live the present map
 * @param catalog reads it
 */
public record MapReader(Supplier<ShardMap> live, CatalogRefresher catalog) {
  /** Names, without schema, of the tables that are known. */
  Set<String> tables() {
    return live.get().tables().keySet().stream()
        .map(table -> table.name())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Reads all shards; completes with the indexes of those that have answered. */
  CompletionStage<Set<Integer>> read() {
    return catalog.refresh().thenApply(map -> answered());
  }

  private Set<Integer> answered() {
    List<ShardStatus> status = catalog.status();
    Set<Integer> answered = new HashSet<>();
    for (int shard = 0; shard < status.size(); shard++) {
      if (status.get(shard).state() == ShardStatus.State.UP) {
        answered.add(shard);
      }
    }
    return answered;
  }
}
