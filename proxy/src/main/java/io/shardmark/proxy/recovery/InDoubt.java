package io.shardmark.proxy.recovery;

/**
 * A prepared transaction that could not be finished yet.
 *
 * @param shard name of the shard that holds it
 * @param preparedName as in pg_prepared_xacts
 * @param reason why it is still there, in a few words
 */
public record InDoubt(String shard, String preparedName, String reason) {}
