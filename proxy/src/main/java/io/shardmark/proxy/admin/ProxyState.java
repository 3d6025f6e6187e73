package io.shardmark.proxy.admin;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.catalog.ShardStatus;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What a running proxy can be asked. Any thread; nothing blocks. */
public interface ProxyState {
  ProxyConfig config();

  ShardMap shardMap();

  /** Shards by index, as last seen. */
  List<ShardStatus> shards();

  /** What is wrong with the tables, one line each. */
  List<String> catalogProblems();

  ProxyMetrics metrics();

  /** Nanoseconds since the start. */
  long uptimeNanos();

  /** {@code running}, {@code paused} or {@code draining}. */
  String mode();

  CompletionStage<List<ClientInfo>> clients();

  CompletionStage<List<ServerInfo>> servers();

  CompletionStage<List<TransactionInfo>> transactions();

  CompletionStage<List<LockInfo>> locks();

  /**
   * A client.
   *
   * @param state idle, active, in transaction, failed, waiting
   * @param servers how many server connections it holds
   */
  record ClientInfo(String user, String database, String address, String state, int servers) {}

  /**
   * A server connection.
   *
   * @param serverProcess of the server, as pg_stat_activity has it
   * @param state idle, active
   */
  record ServerInfo(String shard, int serverProcess, String user, String state) {}

  /**
   * A transaction over several shards.
   *
   * @param state committing, or in doubt
   * @param detail why it is still there, or ""
   */
  record TransactionInfo(String gid, String shard, String state, long ageSeconds, String detail) {}

  /**
   * One server process waiting for another one's lock. SHOW SERVERS has the clients of this proxy
   * that hold them.
   *
   * @param holdingProcess 0 for a prepared transaction, which has none
   */
  record LockInfo(
      String shard, int waitingProcess, int holdingProcess, String lock, String statement) {}
}
