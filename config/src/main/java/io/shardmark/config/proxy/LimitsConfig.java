package io.shardmark.config.proxy;

import java.time.Duration;

/**
 * What is refused beyond.
 *
 * @param maxClients client connections at once, all databases; 1 or more
 * @param loginTimeout from accept to the end of authentication; over zero
 * @param commitTimeout how long a server may owe the answer to a step of a commit over several
 *     shards; over zero
 * @param scatterMemoryBytes what one statement may hold back while rows of several shards are
 *     merged
 */
public record LimitsConfig(
    int maxClients, Duration loginTimeout, Duration commitTimeout, long scatterMemoryBytes) {}
