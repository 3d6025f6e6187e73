package io.shardmark.driver.adversity;

import io.shardmark.config.PlannedEvent;

/**
 * An event that was begun.
 *
 * @param fromSeconds when it began, from the start of the measurement interval
 * @param toSeconds when its command ended
 * @param outcome why the command failed, or what it said; empty if it ended well
 */
record EventRecord(PlannedEvent event, double fromSeconds, double toSeconds, String outcome) {
  /** The same, which went on until then, or began after it. */
  EventRecord until(double seconds) {
    return new EventRecord(event, fromSeconds, Math.max(fromSeconds, seconds), outcome);
  }
}
