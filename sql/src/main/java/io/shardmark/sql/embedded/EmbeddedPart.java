package io.shardmark.sql.embedded;

/**
 * A process of an embedded database that a fault test may kill and start again.
 *
 * @param name such as {@code shard s2}
 * @param kill ends it as a crash would (SIGKILL); returns when none of its processes is left
 * @param restart starts it again on the same files and port; returns when it takes connections
 */
public record EmbeddedPart(String name, Runnable kill, Runnable restart) {}
