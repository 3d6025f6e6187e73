package io.shardmark.proxy.routing;

/** What of a session routes depend on, at a moment. */
public interface RoutingView {
  /** A cursor that the session has not declared. */
  int UNKNOWN = -1;

  /** A cursor of the proxy's own, over several shards. */
  int OVER_SEVERAL = -2;

  /** The shard that SET shardmark.shard or shardmark.key has named; -1 for none. */
  int shardByHand();

  /** The shard whose server has the cursor of that name, {@link #UNKNOWN} or else. */
  int shardOfCursor(String name);
}
