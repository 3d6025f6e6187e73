package io.shardmark.driver.results;

/** Which part of a transaction's way through the driver a latency measures. */
public enum LatencyKind {
  /** From the instant it was due to its end: without coordinated omission. */
  DUE("due"),
  /** From its first statement to its end: what the database and the network took. */
  SERVICE("service"),
  /** From due until a worker took it up. */
  QUEUE_WAIT("queueWait"),
  /** From there until it had a connection. */
  CONNECTION_WAIT("connectionWait");

  private final String jsonName;

  LatencyKind(String jsonName) {
    this.jsonName = jsonName;
  }

  /** Its name in result files. */
  public String jsonName() {
    return jsonName;
  }
}
