package io.shardmark.driver.tpcc.input;

import io.shardmark.config.tpcc.TpccConfig;
import io.shardmark.config.tpcc.TransactionMix;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.loader.tpcc.LastName;
import io.shardmark.loader.tpcc.PopulationUnit;
import java.math.BigDecimal;
import java.util.SplittableRandom;

/** Draws the inputs of one terminal. Its sequence depends on the seed and its index alone. */
public final class TpccTerminal implements Terminal {
  private static final int MIN_LINES = 5;
  private static final int UNUSED_ITEM_STEP = 1_000_000;

  private final TpccConfig config;
  private final Scale scale;
  private final NuRand nuRand;
  private final SplittableRandom random;
  private final WarehouseShards shards;
  private final int homeDistrictId;
  private int homeWarehouseId;

  public TpccTerminal(
      TpccConfig config,
      Scale scale,
      NuRand nuRand,
      SplittableRandom random,
      HomeSeats.Seat home,
      WarehouseShards shards) {
    this.config = config;
    this.scale = scale;
    this.nuRand = nuRand;
    this.random = random;
    this.shards = shards;
    this.homeWarehouseId = home.warehouseId();
    this.homeDistrictId = home.districtId();
  }

  @Override
  public Transaction next() {
    if (!config.fixedWarehouse()) {
      homeWarehouseId = uniform(scale.from(), scale.to());
    }
    TransactionMix mix = config.mix();
    double r = random.nextDouble(100.0);
    double upTo = mix.payment();
    if (r < upTo) {
      return payment();
    }
    upTo += mix.stockLevel();
    if (r < upTo) {
      return new StockLevel(homeWarehouseId, homeDistrictId, uniform(10, 20));
    }
    upTo += mix.orderStatus();
    if (r < upTo) {
      return orderStatus();
    }
    upTo += mix.delivery();
    if (r < upTo) {
      return new Delivery(homeWarehouseId, uniform(1, 10));
    }
    return newOrder();
  }

  /** TPC-C 2.4.1. */
  NewOrder newOrder() {
    int lines = uniform(MIN_LINES, NewOrder.MAX_LINES);
    int[] items = new int[lines];
    int[] supplies = new int[lines];
    int[] quantities = new int[lines];
    int districtId = uniform(1, PopulationUnit.DISTRICTS);
    int customerId = nuRand.customer(random);
    for (int line = 0; line < lines; line++) {
      items[line] = nuRand.item(random);
      supplies[line] = homeWarehouseId;
      if (scale.size() > 1 && percent(config.newOrderRemotePercent())) {
        supplies[line] = remoteWarehouse();
      }
      quantities[line] = uniform(1, 10);
    }
    // TPC-C 2.4.1.4: one New-Order in a hundred ends on an unused item and rolls back. Drawn once
    // for each order and kept across retries: drawing again would let conflicts move the share,
    // which 9.2.2.5.1 bounds to 0.9 - 1.1 percent.
    boolean rollback = uniform(1, 100) == 1;
    if (rollback) {
      items[lines - 1] += uniform(1, 9) * UNUSED_ITEM_STEP;
    }
    return NewOrder.of(
        homeWarehouseId, districtId, customerId, items, supplies, quantities, rollback, shards);
  }

  /** TPC-C 2.5.1: 15 percent by a customer of a remote warehouse, 60 percent by last name. */
  Payment payment() {
    int districtId = uniform(1, PopulationUnit.DISTRICTS);
    int customerWarehouseId = homeWarehouseId;
    int customerDistrictId = districtId;
    if (scale.size() > 1 && percent(config.paymentRemotePercent())) {
      customerWarehouseId = remoteWarehouse();
      customerDistrictId = uniform(1, PopulationUnit.DISTRICTS);
    }
    boolean byName = uniform(1, 100) <= 60;
    return new Payment(
        homeWarehouseId,
        districtId,
        customerWarehouseId,
        customerDistrictId,
        byName ? 0 : nuRand.customer(random),
        byName ? LastName.of(nuRand.lastName(random)) : null,
        BigDecimal.valueOf(uniform(100, 500_000), 2),
        shards.areApart(homeWarehouseId, customerWarehouseId));
  }

  /** TPC-C 2.6.1: 60 percent by last name. */
  OrderStatus orderStatus() {
    int districtId = uniform(1, PopulationUnit.DISTRICTS);
    boolean byName = uniform(1, 100) <= 60;
    return new OrderStatus(
        homeWarehouseId,
        districtId,
        byName ? 0 : nuRand.customer(random),
        byName ? LastName.of(nuRand.lastName(random)) : null);
  }

  /** Any warehouse of the run but the home one, each with the same chance (2.4.1.5.2, 2.5.1.2). */
  private int remoteWarehouse() {
    int other = uniform(1, scale.size() - 1);
    return other < homeWarehouseId ? other : other + 1;
  }

  private boolean percent(double share) {
    return random.nextDouble(100.0) < share;
  }

  private int uniform(int low, int high) {
    return random.nextInt(low, high + 1);
  }
}
