package io.shardmark.config.proxy;

import java.time.Duration;

/**
 * Server connections.
 *
 * @param size for each shard and user, over all event loops, 1 to 10000
 * @param waitTimeout how long a client waits for one before 53300; over zero
 * @param failoverWait how long a client waits for a shard with several hosts while it has no
 *     primary; zero is not at all
 * @param preparedStatementsPerServer how many prepared statements one server connection keeps
 * @param serverIdleTimeout unused connections are closed after it; zero is never
 * @param serverLifetime connections are closed at this age when they are unused; zero is never
 */
public record PoolConfig(
    PoolMode mode,
    int size,
    Duration waitTimeout,
    Duration failoverWait,
    int preparedStatementsPerServer,
    Duration serverIdleTimeout,
    Duration serverLifetime) {
  /** The same where another server is used instead of one that is lost. */
  public PoolConfig withoutFailoverWait() {
    return new PoolConfig(
        mode,
        size,
        waitTimeout,
        Duration.ZERO,
        preparedStatementsPerServer,
        serverIdleTimeout,
        serverLifetime);
  }

  /** How long a client keeps its server connections. */
  public enum PoolMode {
    /** Until the end of each transaction. */
    TRANSACTION,
    /** Until the client leaves. */
    SESSION
  }
}
