package io.shardmark.driver.meeting;

import io.shardmark.driver.benchmark.Scale;

/**
 * What driver 0 decides for all drivers of a run.
 *
 * @param group what this run's drivers have in common, and no others
 * @param seedDrawn true if nobody chose the seed
 * @param start when the run was called, as {@link java.time.ZonedDateTime} writes it; dates in the
 *     name of the result directory are taken from it
 */
public record GroupTerms(
    String group, long seed, boolean seedDrawn, int run, Scale scale, String start) {}
