package io.shardmark.proxy.merge;

/** The SQLSTATEs of this package. */
final class MergeStates {
  static final String NOT_SUPPORTED = "0A000";
  static final String OUT_OF_MEMORY = "53200";
  static final String OUT_OF_RANGE = "22003";
  static final String NEGATIVE_LIMIT = "2201W";
  static final String NEGATIVE_OFFSET = "2201X";
  static final String PROTOCOL_VIOLATION = "08P01";

  private MergeStates() {}
}
