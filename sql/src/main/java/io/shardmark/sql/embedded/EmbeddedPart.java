package io.shardmark.sql.embedded;

import java.util.Optional;

/**
 * A process of an embedded database that a fault test may kill and start again.
 *
 * @param name such as {@code shard s2}
 * @param kill ends it as a crash would (SIGKILL); returns when none of its processes is left
 * @param restart starts it again on the same files and port; returns when it takes connections
 * @param pause stops all of its processes (SIGSTOP): connections stay open and nobody answers
 * @param resume lets them go on
 * @param backup copies its files, as pg_basebackup does, and deletes the copy; empty if it has none
 */
public record EmbeddedPart(
    String name,
    Runnable kill,
    Runnable restart,
    Runnable pause,
    Runnable resume,
    Optional<Runnable> backup) {}
