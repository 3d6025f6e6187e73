package io.shardmark.proxy.recovery;

import java.time.Duration;

/**
 * A prepared transaction that could not be finished yet.
 *
 * @param shard name of the shard that holds it
 * @param preparedName as in pg_prepared_xacts
 * @param age since it was prepared, by the shard's clock
 * @param reason why it is still there, in a few words
 */
public record InDoubt(String shard, String preparedName, Duration age, String reason) {}
