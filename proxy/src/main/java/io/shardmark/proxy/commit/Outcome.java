package io.shardmark.proxy.commit;

/** How a transaction ended. */
public enum Outcome {
  COMMITTED,
  ABORTED,
  /** It may be either; who reaches the anchor next learns it. */
  UNKNOWN
}
