/**
 * What is done to the system under test during a run, and what it does to the run. The rules (which
 * seconds are before, during and after an event, how deep a dip is and how long) are pure; {@link
 * EventRunner} has a thread for each event.
 */
@NullMarked
package io.shardmark.driver.adversity;

import org.jspecify.annotations.NullMarked;
