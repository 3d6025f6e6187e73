package io.shardmark.loader.data;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/**
 * What decides every row in addition to the size of the data: loads of one origin have equal rows,
 * whatever process loads them in whatever order.
 *
 * @param seed of all random streams
 * @param loadTime the "current time" of rows that have one, to the millisecond, on the wall clock
 *     of the loading machine
 */
public record Origin(long seed, LocalDateTime loadTime) {
  public Origin {
    loadTime = loadTime.truncatedTo(ChronoUnit.MILLIS);
  }
}
