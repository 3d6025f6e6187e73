package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.shardmap.TableName;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Locks reference tables on all shards before a statement that finds out by their rows what to
 * change. Without it a transaction that has committed on one shard and not yet on another would be
 * seen on the one only, and the copies would differ from then on. The first shard's locks come
 * first, so that two writers queue there and never hold each other's.
 */
final class CopyLocks {
  private CopyLocks() {}

  /** Once the session holds connections to all shards, in a transaction. */
  static ExecutionStep of(Execution execution, List<TableName> tables) {
    if (tables.isEmpty()) {
      return ExecutionStep.DONE;
    }
    String text =
        tables.stream()
            .map(TableName::quoted)
            .collect(Collectors.joining(", ", "LOCK TABLE ", " IN SHARE ROW EXCLUSIVE MODE"));
    return ExecutionStep.DONE
        .then(() -> on(execution, IntStream.of(0), text))
        .then(() -> on(execution, IntStream.range(1, execution.shardCount()), text));
  }

  private static ExecutionStep on(Execution execution, IntStream shards, String text) {
    List<ServerConnection> servers = shards.mapToObj(execution.participants()::required).toList();
    return Broadcast.of(execution.output(), servers, text);
  }
}
