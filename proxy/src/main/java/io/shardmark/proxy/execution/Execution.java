package io.shardmark.proxy.execution;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.settings.Settings;
import java.util.Optional;

/** What carries out a route may use of its client. Belongs to the client's event loop. */
public interface Execution {
  /** Where everything of the client happens. */
  EventLoop loop();

  /** Has the client's step go on: something has changed that it waits for. On the loop. */
  void proceed();

  Participants participants();

  Output output();

  Transaction transaction();

  /** For snapshots of several shards; empty if each is to be as it happens to be. */
  Optional<SnapshotGate> gateForReads();

  /** The client's settings, as they are in force now. */
  Settings settings();

  int shardCount();

  /** How many bytes one statement may hold back while rows of several shards are merged. */
  long memoryLimitBytes();

  LoopCounters counters();

  /** A text of the proxy's own making, with the current names and types. */
  StatementText text(String sql, int... typeOids);
}
