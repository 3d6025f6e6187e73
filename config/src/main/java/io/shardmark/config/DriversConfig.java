package io.shardmark.config;

import java.time.Duration;

/**
 * Which of several driver processes this is, and where they meet. They make one run: its terminals
 * and warehouses are divided among them.
 *
 * @param count key {@code drivers}: processes of the run, from 1; 1 is a run of one process, which
 *     meets nobody
 * @param index key {@code driverIndex}: 0 .. count - 1; driver 0 coordinates
 * @param host key {@code driverCoordinator}: where driver 0 listens; empty if the count is 1
 * @param port key {@code driverCoordinator}: 1 .. 65535; 0 if the count is 1
 * @param patience key {@code driverWaitSecs}: how long the drivers wait for each other
 */
public record DriversConfig(int count, int index, String host, int port, Duration patience) {
  /** A run of one process. */
  static final DriversConfig ALONE = new DriversConfig(1, 0, "", 0, Duration.ZERO);

  /** True if there is anyone to agree with. */
  public boolean areSeveral() {
    return count > 1;
  }

  /** True for the driver that the others connect to, and that merges the results. */
  public boolean isCoordinator() {
    return index == 0;
  }

  /** {@code host:port}, as it is written in a properties file. */
  public String coordinator() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
