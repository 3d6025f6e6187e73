package io.shardmark.driver.coordination;

/**
 * When a driver's terminals start.
 *
 * @param nanos on its own {@link System#nanoTime()}
 * @param uncertaintyNanos how far this may be from the same instant in driver 0, at most: half of
 *     the shortest round trip
 */
public record StartInstant(long nanos, long uncertaintyNanos) {}
