package io.shardmark.proxy.pool;

import java.time.Duration;

/**
 * Limits of the pools of one shard and user.
 *
 * @param size server connections at most, of all event loops together
 * @param queue clients that may wait at once on one loop
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
