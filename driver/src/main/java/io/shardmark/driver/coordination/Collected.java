package io.shardmark.driver.coordination;

import java.nio.file.Path;
import java.util.List;

/**
 * What the coordinator has when the run is over.
 *
 * @param parts results that came in whole, in the order of the drivers; that of driver 0 is not
 *     among them
 * @param clocks of drivers that lived to the end, as far as they were measured
 * @param lost drivers whose results are missing
 */
public record Collected(List<Part> parts, List<Clock> clocks, List<Lost> lost) {
  public Collected {
    parts = List.copyOf(parts);
    clocks = List.copyOf(clocks);
    lost = List.copyOf(lost);
  }

  /** One driver's result directory. */
  public record Part(int index, Path directory) {}

  /**
   * What became of one driver's clock.
   *
   * @param driftNanos how far it went away from driver 0's between start and end
   */
  public record Clock(int index, long driftNanos) {}

  /**
   * A driver that is not in the result.
   *
   * @param share what it should have done
   * @param reason what is known of its end
   */
  public record Lost(int index, DriverIdentity.Share share, String reason) {}
}
