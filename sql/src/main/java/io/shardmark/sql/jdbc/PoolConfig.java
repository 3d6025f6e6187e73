package io.shardmark.sql.jdbc;

import java.time.Duration;

/**
 * A pool of connections that is always full.
 *
 * @param name shown in logs and thread names
 * @param size number of connections, at least 1
 * @param borrowTimeout how long a borrower waits for a free connection before {@link
 *     java.sql.SQLTransientConnectionException}; at least 250 ms
 */
public record PoolConfig(String name, int size, Duration borrowTimeout) {
  private static final Duration MIN_BORROW_TIMEOUT = Duration.ofMillis(250);

  public PoolConfig {
    if (size < 1) {
      throw new IllegalArgumentException("pool size " + size + ", expected 1 or more");
    }
    if (borrowTimeout.compareTo(MIN_BORROW_TIMEOUT) < 0) {
      throw new IllegalArgumentException(
          "borrow timeout " + borrowTimeout + ", expected >= 250 ms");
    }
  }
}
