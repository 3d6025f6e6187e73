package io.shardmark.driver.tpcc.input;

import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.config.tpcc.TpccConfig;
import io.shardmark.config.tpcc.TransactionMix;
import io.shardmark.driver.benchmark.Scale;

/** Configurations that differ from TPC-C's defaults in what a test is about. */
record RunConfigs(TpccConfig config, Scale scale) {
  static final TransactionMix STANDARD = new TransactionMix(45, 43, 4, 4, 4);

  static RunConfigs warehouses(int count) {
    return of(count, 1, count, true, 1, 15, STANDARD);
  }

  static RunConfigs remotePercent(double newOrder, double payment) {
    return of(5, 1, 5, true, newOrder, payment, STANDARD);
  }

  static RunConfigs homeRange(int warehouses, int from, int to) {
    return of(warehouses, from, to, false, 1, 15, STANDARD);
  }

  static RunConfigs mix(TransactionMix mix) {
    return of(5, 1, 5, true, 1, 15, mix);
  }

  private static RunConfigs of(
      int warehouses,
      int from,
      int to,
      boolean fixed,
      double newOrderRemote,
      double paymentRemote,
      TransactionMix mix) {
    return new RunConfigs(
        new TpccConfig(fixed, StatementProfile.BENCHMARKSQL, newOrderRemote, paymentRemote, mix, 1),
        Scale.divided("warehouse", warehouses, from, to));
  }
}
