package io.shardmark.proxy.growth;

/** What is done for a move. Each can be repeated: it finds what an earlier try has made. */
enum MoveStep {
  /** It is the first of those that are not over. */
  BEGIN,
  /** The partitions of the source are published. */
  PUBLISH,
  /** The target has empty tables, which are no partitions yet. */
  MAKE_TABLES,
  /** The target has the rows of one snapshot, and the source keeps its log from there on. */
  COPY,
  /** The target follows the source. */
  SUBSCRIBE,
  /** The target is close to the source. */
  CATCH_UP,
  /** The target has statistics of the rows. */
  ANALYZE,
  /** The rows of both are equal at one moment. */
  COMPARE,
  /**
   * One transaction over both shards: the target's tables become partitions, the source's go to
   * schema shardmark, and {@link MoveStage#SWITCHED} is written.
   */
  SWITCH,
  /** The rows of both are equal as they were in the switch. */
  CONFIRM,
  UNSUBSCRIBE,
  DROP_SLOT,
  UNPUBLISH,
  /** The rows on the source go. */
  DROP_SOURCE,
  /** The copy on the target goes. */
  DROP_TARGET
}
