package io.shardmark.proxy.pool;

import java.time.Duration;

/**
 * Limits of one pool of one event loop.
 *
 * @param size server connections at most, 1 or more
 * @param queue clients that may wait at once
 * @param waitTimeout how long each
 * @param preparedStatements kept on one connection
 * @param idleTimeout zero: never
 * @param lifetime zero: never
 */
public record PoolLimits(
    int size,
    int queue,
    Duration waitTimeout,
    int preparedStatements,
    Duration idleTimeout,
    Duration lifetime) {}
