package io.shardmark.proxy.commit;

/** How a transaction ended. */
public enum Outcome {
  COMMITTED,
  ABORTED,
  /** It may be either; whoever reaches the anchor next learns it. */
  UNKNOWN
}
