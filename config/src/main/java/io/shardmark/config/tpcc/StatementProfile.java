package io.shardmark.config.tpcc;

import io.shardmark.config.NamedConstant;

/**
 * Key {@code statementProfile}: which statements and round trips a transaction is made of. Results
 * of unlike profiles do not compare.
 */
public enum StatementProfile implements NamedConstant {
  /** BenchmarkSQL's statements, in its order, one round trip each. */
  BENCHMARKSQL,
  /** As few round trips as set-based SQL and pipelining allow, still client SQL. */
  BATCHED,
  /** One stored procedure call for each transaction. */
  PROCEDURES
}
