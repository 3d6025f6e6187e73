package io.shardmark.driver.result;

import io.shardmark.driver.verdict.DriverLoad;

/**
 * What the driver's process used in the measurement interval.
 *
 * @param load what the verdict is made from
 * @param connectionWaitP99Nanos 99th percentile of the wait for a connection: the database's, not
 *     the driver's
 * @param gcCount garbage collections
 * @param gcMillis time they reported
 * @param stalledNanos time that workers waited for the collector, all together
 * @param peakRssBytes largest resident memory of the process since its start; 0 if not known
 */
public record ClientFigures(
    DriverLoad load,
    long connectionWaitP99Nanos,
    long gcCount,
    long gcMillis,
    long stalledNanos,
    long peakRssBytes) {}
