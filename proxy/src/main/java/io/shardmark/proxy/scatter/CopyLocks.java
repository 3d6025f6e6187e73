package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Locks reference tables on all shards before a statement that finds out by their rows what to
 * change. Without it a transaction that has committed on one shard and not yet on another would be
 * seen on the one only, and the copies would differ from then on. The first shard's locks come
 * first, so that two writers queue there and never hold each other's.
 */
final class CopyLocks implements Step {
  private final Execution execution;
  private final String text;
  private @Nullable Broadcast first;
  private @Nullable Broadcast others;

  private CopyLocks(Execution execution, List<TableName> tables) {
    this.execution = execution;
    this.text =
        tables.stream()
            .map(TableName::quoted)
            .collect(Collectors.joining(", ", "LOCK TABLE ", " IN SHARE ROW EXCLUSIVE MODE"));
  }

  /** Null if nothing must be locked. */
  static @Nullable CopyLocks of(Execution execution, ScatterStrategy strategy) {
    return strategy instanceof ScatterStrategy.Same same && !same.locked().isEmpty()
        ? new CopyLocks(execution, same.locked())
        : null;
  }

  /** Once the session holds connections to all shards, in a transaction. */
  @Override
  public boolean advance() {
    if (first == null) {
      first = Broadcast.of(execution.output(), List.of(execution.participants().required(0)), text);
    }
    if (!first.advance()) {
      return false;
    }
    if (others == null) {
      List<ServerConnection> servers = new ArrayList<>();
      for (int shard = 1; shard < execution.shardCount(); shard++) {
        servers.add(execution.participants().required(shard));
      }
      others = Broadcast.of(execution.output(), servers, text);
    }
    return others.advance();
  }
}
