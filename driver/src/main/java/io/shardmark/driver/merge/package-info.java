/**
 * Makes one result directory of those of several drivers that ran together. Counts and histograms
 * are added, rows are merged in time order, nothing is averaged; memory does not grow with the
 * length of the run. Reads and writes files only. Used by one thread.
 */
@NullMarked
package io.shardmark.driver.merge;

import org.jspecify.annotations.NullMarked;
