/**
 * A series of runs over several databases, or a search for the most that one can do: each run and
 * each check is its own process, and a plan on disk says what was done, so that a sweep that ended
 * in the middle goes on where it stopped. One thread drives it; a second one ends it on a signal.
 */
@NullMarked
package io.shardmark.driver.sweep;

import org.jspecify.annotations.NullMarked;
