package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.driver.tpcc.input.TpccInput;
import io.shardmark.driver.tpcc.input.WarehouseShards;
import java.math.BigDecimal;
import java.util.SplittableRandom;

/**
 * Inputs that hit the few rows of {@link SmallTpcc}: conflicts, remote rows and double items are
 * frequent.
 */
final class SmallInputs {
  private final SplittableRandom random;

  SmallInputs(long seed) {
    random = new SplittableRandom(seed);
  }

  TpccInput next() {
    return switch (random.nextInt(10)) {
      case 0 -> new Delivery.Background(warehouse(), uniform(1, 10));
      case 1 -> orderStatus();
      case 2 -> new StockLevel(warehouse(), district(), uniform(10, 20));
      case 3, 4, 5 -> payment();
      default -> newOrder();
    };
  }

  private NewOrder newOrder() {
    int lines = uniform(5, 15);
    int home = warehouse();
    int[] items = new int[lines];
    int[] supplies = new int[lines];
    int[] quantities = new int[lines];
    for (int line = 0; line < lines; line++) {
      items[line] = uniform(1, SmallTpcc.ITEMS);
      supplies[line] = uniform(1, 5) == 1 ? warehouse() : home;
      quantities[line] = uniform(1, 10);
    }
    boolean rollback = uniform(1, 10) == 1;
    if (rollback) {
      items[lines - 1] = SmallTpcc.UNUSED_ITEM;
    }
    return NewOrder.of(
        home,
        district(),
        customer(),
        items,
        supplies,
        quantities,
        rollback,
        WarehouseShards.UNKNOWN);
  }

  private Payment payment() {
    boolean byName = random.nextBoolean();
    return new Payment(
        warehouse(),
        district(),
        warehouse(),
        district(),
        byName ? 0 : customer(),
        byName ? name() : null,
        BigDecimal.valueOf(uniform(100, 500_000), 2),
        false);
  }

  private OrderStatus orderStatus() {
    boolean byName = random.nextBoolean();
    return new OrderStatus(
        warehouse(), district(), byName ? 0 : customer(), byName ? name() : null);
  }

  private String name() {
    return random.nextBoolean() ? SmallTpcc.FOUR_NAMESAKES : SmallTpcc.THREE_NAMESAKES;
  }

  private int warehouse() {
    return uniform(1, SmallTpcc.WAREHOUSES);
  }

  private int district() {
    return uniform(1, SmallTpcc.DISTRICTS);
  }

  private int customer() {
    return uniform(1, SmallTpcc.CUSTOMERS);
  }

  private int uniform(int low, int high) {
    return random.nextInt(low, high + 1);
  }
}
