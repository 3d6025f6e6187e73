package io.shardmark.driver.results;

/** Which part of a transaction's way through the driver a latency measures. */
public enum LatencyKind {
  /** From the instant it was due to its end: without coordinated omission. */
  DUE,
  /** From its first statement to its end: what the database and the network took. */
  SERVICE,
  /** From due until a worker took it up. */
  QUEUE_WAIT,
  /** From there until it had a connection. */
  CONNECTION_WAIT
}
