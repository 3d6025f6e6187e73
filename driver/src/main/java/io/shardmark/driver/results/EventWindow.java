package io.shardmark.driver.results;

import org.jspecify.annotations.Nullable;

/**
 * Whole seconds of a run, before, during or after an event.
 *
 * @param seconds how many
 * @param perSecond successes of counted types
 * @param p99Millis of these, from due to done, to 2 %; null if nothing succeeded
 */
public record EventWindow(long seconds, double perSecond, @Nullable Double p99Millis) {
  static final EventWindow NONE = new EventWindow(0, 0, null);
}
