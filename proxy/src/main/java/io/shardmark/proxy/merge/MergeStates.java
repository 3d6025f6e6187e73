package io.shardmark.proxy.merge;

import io.shardmark.proxy.protocol.SqlState;

/** The SQLSTATEs of this package. */
final class MergeStates {
  static final String NOT_SUPPORTED = SqlState.FEATURE_NOT_SUPPORTED.code();
  static final String OUT_OF_MEMORY = SqlState.OUT_OF_MEMORY.code();
  static final String NEGATIVE_LIMIT = SqlState.INVALID_ROW_COUNT_IN_LIMIT_CLAUSE.code();
  static final String NEGATIVE_OFFSET = SqlState.INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE.code();
  static final String PROTOCOL_VIOLATION = SqlState.PROTOCOL_VIOLATION.code();

  private MergeStates() {}
}
