package io.shardmark.config;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Which of several driver processes this is, and how they start together. They make one run: its
 * terminals and warehouses are divided among them.
 *
 * @param count key {@code drivers}: processes of the run, from 1; 1 is a run of one process, which
 *     meets nobody
 * @param index key {@code driverIndex}: 0 .. count - 1; driver 0 decides what all need to have
 *     alike
 * @param patience key {@code driverWaitSecs}: how long the drivers wait for each other
 * @param startAt key {@code startAt}: when all start without meeting; empty if they meet in the
 *     database
 */
public record DriversConfig(int count, int index, Duration patience, Optional<Instant> startAt) {
  /** A run of one process. */
  static final DriversConfig ALONE = new DriversConfig(1, 0, Duration.ZERO, Optional.empty());

  /** True if there is anyone to agree with. */
  public boolean areSeveral() {
    return count > 1;
  }

  /** True for the driver that opens the meeting, observes the server and merges the results. */
  public boolean isFirst() {
    return index == 0;
  }
}
