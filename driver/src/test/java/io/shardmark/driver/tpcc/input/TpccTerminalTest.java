package io.shardmark.driver.tpcc.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.tpcc.TransactionMix;
import io.shardmark.driver.benchmark.Transaction;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clauses 2.4.1 to 2.8.1 and 5.2.3, with a fixed seed. */
final class TpccTerminalTest {
  private static final long SEED = 20_261_120;
  private static final int HOME = 3;
  private static final int DISTRICT = 7;
  private static final int DRAWS = 1_000_000;
  private static final NuRand NU_RAND = new NuRand(100, 259, 7911);

  private static TpccTerminal terminal(RunConfigs config, int home) {
    return terminal(config, home, WarehouseShards.UNKNOWN);
  }

  private static TpccTerminal terminal(RunConfigs config, int home, WarehouseShards shards) {
    return new TpccTerminal(
        config.config(),
        config.scale(),
        NU_RAND,
        new SplittableRandom(SEED),
        new HomeSeats.Seat(home, DISTRICT),
        shards);
  }

  private static double percent(long part, long whole) {
    return 100.0 * part / whole;
  }

  @Test
  void clause241DrawsNewOrdersInTheirRangesAndShares() {
    TpccTerminal terminal = terminal(RunConfigs.warehouses(5), HOME);
    long[] remoteBy = new long[6];
    long lines = 0;
    long rollbacks = 0;
    Set<Integer> lineCounts = new HashSet<>();
    Set<Integer> districts = new HashSet<>();
    Set<Integer> quantities = new HashSet<>();
    for (int draw = 0; draw < DRAWS; draw++) {
      NewOrder order = terminal.newOrder();
      assertInRanges(order);
      lines += order.lineCount();
      rollbacks += order.rollback() ? 1 : 0;
      lineCounts.add(order.lineCount());
      districts.add(order.districtId());
      for (int line = 0; line < order.lineCount(); line++) {
        quantities.add(order.quantities()[line]);
        remoteBy[order.supplyWarehouseIds()[line]] +=
            order.supplyWarehouseIds()[line] == HOME ? 0 : 1;
      }
    }
    long remote = Arrays.stream(remoteBy).sum();
    assertThat(lineCounts).hasSize(11);
    assertThat(districts).hasSize(10);
    assertThat(quantities).hasSize(10);
    assertThat((double) lines / DRAWS).isBetween(9.5, 10.5);
    assertThat(percent(rollbacks, DRAWS)).isBetween(0.9, 1.1);
    assertThat(percent(remote, lines)).isBetween(0.95, 1.05);
    for (int other : new int[] {1, 2, 4, 5}) {
      assertThat(percent(remoteBy[other], remote)).as("remote %d", other).isBetween(23.0, 27.0);
    }
  }

  private static void assertInRanges(NewOrder order) {
    int remote = 0;
    boolean good =
        order.warehouseId() == HOME
            && order.districtId() >= 1
            && order.districtId() <= 10
            && order.customerId() >= 1
            && order.customerId() <= 3000
            && order.lineCount() >= 5
            && order.lineCount() <= 15;
    for (int line = 0; line < order.lineCount(); line++) {
      boolean last = line == order.lineCount() - 1;
      boolean unused = order.itemIds()[line] > 100_000;
      good &= unused == (order.rollback() && last) && order.itemIds()[line] >= 1;
      good &= order.quantities()[line] >= 1 && order.quantities()[line] <= 10;
      remote += order.supplyWarehouseIds()[line] == HOME ? 0 : 1;
    }
    good &= remote == order.remoteLines() && order.isDistributed() == remote > 0;
    if (!good) {
      throw new AssertionError("out of range: " + order);
    }
  }

  @Test
  void locksLinesByWarehouseAndItemThenAsOnTheScreen() {
    NewOrder order =
        NewOrder.of(
            1,
            1,
            1,
            new int[] {9, 7, 9, 7, 1},
            new int[] {2, 1, 1, 1, 2},
            new int[5],
            false,
            WarehouseShards.UNKNOWN);

    assertThat(order.bySupplyAndItem()).containsExactly(1, 3, 2, 4, 0);
    assertThat(order.remoteLines()).isEqualTo(2);
  }

  @Test
  void clause251DrawsPaymentsInTheirRangesAndShares() {
    TpccTerminal terminal = terminal(RunConfigs.warehouses(5), HOME);
    long remote = 0;
    long byName = 0;
    long lowest = Long.MAX_VALUE;
    long highest = 0;
    boolean otherDistrict = false;
    for (int draw = 0; draw < DRAWS; draw++) {
      Payment payment = terminal.payment();
      boolean named = payment.customerLast() != null;
      boolean good =
          payment.warehouseId() == HOME
              && named == (payment.customerId() == 0)
              && payment.customerId() <= 3000
              && payment.amount().scale() == 2
              && payment.customerWarehouseId() >= 1
              && payment.customerWarehouseId() <= 5
              // 2.5.1.2: a customer of the home warehouse is one of this district.
              && (payment.isDistributed() || payment.customerDistrictId() == payment.districtId());
      if (!good) {
        throw new AssertionError("out of range: " + payment);
      }
      remote += payment.isDistributed() ? 1 : 0;
      byName += named ? 1 : 0;
      otherDistrict |= payment.customerDistrictId() != payment.districtId();
      long cents = payment.amount().unscaledValue().longValueExact();
      lowest = Math.min(lowest, cents);
      highest = Math.max(highest, cents);
    }
    assertThat(percent(remote, DRAWS)).isBetween(14.0, 16.0);
    assertThat(percent(byName, DRAWS)).isBetween(57.0, 63.0);
    assertThat(otherDistrict).isTrue();
    assertThat(lowest).isBetween(100L, 110L);
    assertThat(highest).isBetween(499_990L, 500_000L);
  }

  @Test
  void clause261DrawsSixtyPercentOfOrderStatusesByName() {
    TpccTerminal terminal = terminal(RunConfigs.warehouses(5), HOME);
    long byName = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      OrderStatus status = terminal.orderStatus();
      boolean named = status.customerLast() != null;
      if (status.warehouseId() != HOME || named != (status.customerId() == 0)) {
        throw new AssertionError("out of range: " + status);
      }
      byName += named ? 1 : 0;
    }
    assertThat(percent(byName, DRAWS)).isBetween(57.0, 63.0);
  }

  @Test
  void clauses271And281DrawCarriersAndThresholds() {
    TpccTerminal terminal = terminal(RunConfigs.mix(new TransactionMix(0, 0, 0, 50, 50)), HOME);
    Set<Integer> carriers = new HashSet<>();
    Set<Integer> thresholds = new HashSet<>();
    for (int draw = 0; draw < 10_000; draw++) {
      Transaction transaction = terminal.next();
      if (transaction instanceof StockLevel level) {
        thresholds.add(level.threshold());
        // 2.8.1.1: the terminal's own warehouse and district.
        assertThat(level)
            .extracting(StockLevel::warehouseId, StockLevel::districtId)
            .containsExactly(HOME, DISTRICT);
      } else {
        carriers.add(((Delivery) transaction).carrierId());
      }
    }
    assertThat(carriers).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assertThat(thresholds).containsExactlyInAnyOrder(10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
  }

  @ParameterizedTest
  @CsvSource({"45, 43, 4, 4, 4", "44.95, 43.01, 4.02, 4.01, 4.01", "100, 0, 0, 0, 0"})
  void clause523FollowsTheWeights(
      double newOrder, double payment, double status, double delivery, double stock) {
    TpccTerminal terminal =
        terminal(RunConfigs.mix(new TransactionMix(newOrder, payment, status, delivery, stock)), 1);
    Map<TpccType, Integer> counts = new EnumMap<>(TpccType.class);
    for (int draw = 0; draw < DRAWS; draw++) {
      counts.merge(TpccType.valueOf(terminal.next().type().name()), 1, Integer::sum);
    }
    // Five standard deviations of the largest share are 0.25 percent.
    Function<TpccType, Double> share = type -> percent(counts.getOrDefault(type, 0), DRAWS);
    assertThat(share.apply(TpccType.NEW_ORDER)).isBetween(newOrder - 0.25, newOrder + 0.25);
    assertThat(share.apply(TpccType.PAYMENT)).isBetween(payment - 0.25, payment + 0.25);
    assertThat(share.apply(TpccType.ORDER_STATUS)).isBetween(status - 0.1, status + 0.1);
    assertThat(share.apply(TpccType.DELIVERY)).isBetween(delivery - 0.1, delivery + 0.1);
    assertThat(share.apply(TpccType.STOCK_LEVEL)).isBetween(stock - 0.1, stock + 0.1);
  }

  @Test
  void remotePercentOfZeroAndOfAHundredAreExact() {
    TpccTerminal never = terminal(RunConfigs.remotePercent(0, 0), HOME);
    TpccTerminal always = terminal(RunConfigs.remotePercent(100, 100), HOME);
    for (int draw = 0; draw < 10_000; draw++) {
      assertThat(never.newOrder().remoteLines()).isZero();
      assertThat(never.payment().isDistributed()).isFalse();
      NewOrder order = always.newOrder();
      assertThat(order.remoteLines()).isEqualTo(order.lineCount());
      assertThat(always.payment().isDistributed()).isTrue();
    }
  }

  @Test
  void oneWarehouseHasNoRemoteOne() {
    TpccTerminal terminal = terminal(RunConfigs.warehouses(1), 1);
    for (int draw = 0; draw < 10_000; draw++) {
      assertThat(terminal.newOrder().isDistributed()).isFalse();
      assertThat(terminal.payment().isDistributed()).isFalse();
    }
  }

  @Test
  void freeHomesStayInTheirRangeAndRemoteOnesCoverAll() {
    TpccTerminal terminal = terminal(RunConfigs.homeRange(6, 3, 4), 3);
    Set<Integer> homes = new HashSet<>();
    Set<Integer> customers = new HashSet<>();
    for (int draw = 0; draw < 20_000; draw++) {
      if (terminal.next() instanceof Payment payment) {
        homes.add(payment.warehouseId());
        customers.add(payment.customerWarehouseId());
      }
    }
    assertThat(homes).containsExactlyInAnyOrder(3, 4);
    assertThat(customers).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
  }

  /** Warehouses 1, 3 and 5 are on one shard, 2 and 4 on the other. */
  private static final WarehouseShards ODD_AND_EVEN =
      WarehouseShards.of(new int[] {0, 1, 0, 1, 0, 1}, 2);

  @Test
  void anOrderIsDistributedIfASupplierIsOnAnotherShard() {
    TpccTerminal terminal = terminal(RunConfigs.warehouses(5), HOME, ODD_AND_EVEN);
    int distributed = 0;
    int remoteOnOneShard = 0;
    for (int draw = 0; draw < 20_000; draw++) {
      NewOrder order = terminal.newOrder();
      boolean crosses = Arrays.stream(order.supplyWarehouseIds()).anyMatch(w -> w % 2 == 0);
      assertThat(order.isDistributed()).isEqualTo(crosses);
      distributed += crosses ? 1 : 0;
      remoteOnOneShard += order.remoteLines() > 0 && !crosses ? 1 : 0;
    }
    assertThat(distributed).isPositive();
    assertThat(remoteOnOneShard).isPositive();
  }

  @Test
  void paymentIsDistributedByShardAndRemoteByWarehouse() {
    TpccTerminal terminal = terminal(RunConfigs.warehouses(5), HOME, ODD_AND_EVEN);
    long[] counters = new long[TpccAudit.COUNTERS];
    int remote = 0;
    int distributed = 0;
    for (int draw = 0; draw < 20_000; draw++) {
      Payment payment = terminal.payment();
      assertThat(payment.isRemote()).isEqualTo(payment.customerWarehouseId() != HOME);
      assertThat(payment.isDistributed()).isEqualTo(payment.customerWarehouseId() % 2 == 0);
      remote += payment.isRemote() ? 1 : 0;
      distributed += payment.isDistributed() ? 1 : 0;
      payment.countInto(counters);
    }
    assertThat(distributed).isPositive().isLessThan(remote);
    assertThat(counters[TpccAudit.PAYMENTS_REMOTE]).isEqualTo(remote);
  }

  @Test
  void shardsDoNotChangeWhatIsDrawn() {
    TpccTerminal plain = terminal(RunConfigs.warehouses(5), HOME);
    TpccTerminal spread = terminal(RunConfigs.warehouses(5), HOME, ODD_AND_EVEN);
    for (int draw = 0; draw < 1000; draw++) {
      assertThat(spread.newOrder())
          .usingRecursiveComparison()
          .ignoringFields("isDistributed")
          .isEqualTo(plain.newOrder());
    }
  }
}
