package io.shardmark.proxy.admin;

import io.shardmark.proxy.growth.Growth.MoveInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** The orders about moves of partitions; completed as those of {@link ProxyControl} are. */
public interface GrowthControl {
  /** Has a shard filled and count, that a reload has appended. */
  CompletionStage<String> add(String shard);

  /** Has an addition undone. */
  CompletionStage<String> cancel(String shard);

  /** Shards whose addition has been ordered: their stages, and after a colon and a space a note. */
  CompletionStage<Map<String, String>> additions();

  /**
   * Has a partition moved, with those of all tables that place rows alike.
   *
   * @param partition as SQL takes a name
   */
  CompletionStage<String> move(String partition, String shard);

  /** Has partitions moved until all shards have about as much. */
  CompletionStage<String> rebalance();

  /** Has a move undone. */
  CompletionStage<String> cancel(int move);

  /** All moves. */
  CompletionStage<List<MoveInfo>> moves();
}
