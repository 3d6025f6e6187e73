package io.shardmark.driver.measure;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Due-time latencies of some consecutive seconds.
 *
 * @param firstSecond from the start of the measurement interval
 * @param seconds how many seconds
 * @param dueByType nanoseconds, one for each type, at its index; owned by the receiver
 */
public record IntervalHistograms(long firstSecond, long seconds, List<Histogram> dueByType) {
  public IntervalHistograms {
    dueByType = List.copyOf(dueByType);
  }
}
