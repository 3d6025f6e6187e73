package io.shardmark.driver.result;

import io.shardmark.driver.measure.ClientLoad;

/**
 * What the driver's process used in the measurement interval.
 *
 * @param load what the verdict is made from
 * @param gcCount garbage collections
 * @param gcMillis time they reported
 * @param stalledNanos time that workers waited for the collector, all together
 * @param peakRssBytes largest resident memory of the process since its start; 0 if not known
 */
public record ClientFigures(
    ClientLoad load, long gcCount, long gcMillis, long stalledNanos, long peakRssBytes) {}
