package io.shardmark.proxy.merge;

import io.shardmark.proxy.protocol.SqlState;

/** Counts the bytes that one merge holds back, against its limit. */
final class HeldMemory {
  /** Objects, references and table slots of one held row or key, roughly. */
  static final int OVERHEAD_BYTES = 120;

  private final long limitBytes;
  private long heldBytes;

  HeldMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  long limitBytes() {
    return limitBytes;
  }

  void take(long bytes) {
    heldBytes += bytes;
    if (heldBytes > limitBytes) {
      throw new MergeRefusedException(
          SqlState.OUT_OF_MEMORY,
          "merging the shards' answers needs more than " + limitBytes + " bytes of memory",
          "Ask for fewer rows or groups, or raise scatter_memory_limit.");
    }
  }

  void give(long bytes) {
    heldBytes -= bytes;
  }
}
