package io.shardmark.config.proxy;

import java.time.Duration;

/**
 * What runs in the background.
 *
 * @param recoveryInterval between two looks for prepared transactions without coordinator
 * @param deadlockInterval between two looks for deadlocks over several shards; zero is never
 * @param catalogInterval between two looks whether the shards' tables have changed; zero is never
 * @param drainTimeout how long a stop waits for transactions
 */
public record BackgroundConfig(
    Duration recoveryInterval,
    Duration deadlockInterval,
    Duration catalogInterval,
    Duration drainTimeout) {}
