package io.shardmark.driver.coordination;

/**
 * What the drivers of a run agree on when all are there.
 *
 * @param group a text that no other group has; results belong together if it is the same
 * @param drivers how many there are
 * @param seed of all drivers, so that the constants of TPC-C 2.1.6 are the same in all terminals
 * @param seedDrawn true if no seed was given and driver 0 drew one
 * @param run the run number in all result files
 */
public record GroupTerms(String group, int drivers, long seed, boolean seedDrawn, int run) {}
