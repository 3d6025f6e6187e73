package io.shardmark.proxy.admin;

import io.shardmark.config.proxy.Endpoint;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.deadlock.DeadlockDetector;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.session.SessionView;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.standby.ShardPrimary.HostView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What a running proxy can be asked. Any thread; nothing blocks. */
public interface ProxyState {
  ProxyConfig config();

  ShardMap shardMap();

  /** Shards by index, as last seen. */
  List<ShardStatus> shards();

  /** Where a shard is now: of several hosts the primary's, or the one used last. */
  Endpoint place(int shard);

  /** Hosts of the shards that have several. */
  List<HostView> hosts();

  /** What is wrong with the tables, one line each. */
  List<String> catalogProblems();

  ProxyMetrics metrics();

  /** Nanoseconds since the start. */
  long uptimeNanos();

  /** {@code running}, {@code paused} or {@code draining}. */
  String mode();

  CompletionStage<List<SessionView>> clients();

  CompletionStage<List<ServerInfo>> servers();

  CompletionStage<List<TransactionInfo>> transactions();

  CompletionStage<DeadlockDetector.Waits> locks();

  /**
   * A server connection.
   *
   * @param serverProcess of the server, as pg_stat_activity has it
   * @param state idle (free), active (owes an answer), held (by a client, owing nothing)
   * @param client id of the client that holds it
   */
  record ServerInfo(
      String shard,
      int serverProcess,
      String user,
      String state,
      Optional<Integer> client,
      long ageSeconds) {}

  /**
   * A transaction over several shards, or what one left prepared.
   *
   * @param client id of its client here; empty if it is prepared and nobody here is at it
   * @param gid of its commit, "" before that
   * @param shards names of those that it is on, or on which it is prepared
   * @param state open, failed, preparing, deciding, asking for the decision, committing, rolling
   *     back; prepared (recovery will look at it), in doubt (recovery could not finish it)
   * @param detail why it is still there, or ""
   */
  record TransactionInfo(
      Optional<Integer> client,
      String gid,
      List<String> shards,
      String state,
      long ageSeconds,
      String detail) {
    public TransactionInfo {
      shards = List.copyOf(shards);
    }
  }
}
