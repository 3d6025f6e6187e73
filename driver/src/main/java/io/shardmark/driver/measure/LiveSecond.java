package io.shardmark.driver.measure;

/**
 * One second that is over, for those who watch a run.
 *
 * @param second since the start of the measurement interval; negative in the ramp-up
 * @param phase which it is of
 * @param done in it; the watcher's own
 */
public record LiveSecond(long second, LiveFigures.LivePhase phase, Snapshot done) {}
