package io.shardmark.driver.tpcc.input;

import io.shardmark.config.PacingConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.config.StatementProfile;
import io.shardmark.config.TransactionMix;
import java.time.Duration;

/** Configurations that differ from TPC-C's defaults in what a test is about. */
final class RunConfigs {
  static final TransactionMix STANDARD = new TransactionMix(45, 43, 4, 4, 4);

  private RunConfigs() {}

  static RunConfig warehouses(int count) {
    return of(count, 1, count, true, 1, 15, STANDARD);
  }

  static RunConfig remotePercent(double newOrder, double payment) {
    return of(5, 1, 5, true, newOrder, payment, STANDARD);
  }

  static RunConfig homeRange(int warehouses, int from, int to) {
    return of(warehouses, from, to, false, 1, 15, STANDARD);
  }

  static RunConfig mix(TransactionMix mix) {
    return of(5, 1, 5, true, 1, 15, mix);
  }

  private static RunConfig of(
      int warehouses,
      int from,
      int to,
      boolean fixed,
      double newOrderRemote,
      double paymentRemote,
      TransactionMix mix) {
    return new RunConfig(
        warehouses,
        from,
        to,
        10,
        10,
        0,
        Duration.ofMinutes(1),
        Duration.ZERO,
        fixed,
        StatementProfile.BENCHMARKSQL,
        0,
        newOrderRemote,
        paymentRemote,
        20_261_120,
        false,
        mix,
        new PacingConfig(0, 0, 0, Duration.ZERO),
        1,
        0);
  }
}
