package io.shardmark.driver.meeting;

/**
 * When the terminals of all drivers start.
 *
 * @param nanos on this process's {@link System#nanoTime()}
 * @param uncertaintyNanos how far it may be from the same instant in the database's clock, at most;
 *     0 for an instant of this machine's own clock, of which nobody knows how right it is
 */
public record StartInstant(long nanos, long uncertaintyNanos) {}
