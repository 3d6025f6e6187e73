package io.shardmark.driver.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.tpcc.TransactionMix;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.StockLevel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TpccWorkloadTest {
  private static Workload workload(long seed, int terminals, TransactionMix mix) {
    String text =
        """
        conn=null:
        warehouses=3
        runMins=1
        connections=1
        terminalWarehouseFixed=true
        seed=%d
        terminals=%d
        newOrderWeight=%s
        paymentWeight=%s
        orderStatusWeight=%s
        deliveryWeight=%s
        stockLevelWeight=%s
        """
            .formatted(
                seed,
                terminals,
                mix.newOrder(),
                mix.payment(),
                mix.orderStatus(),
                mix.delivery(),
                mix.stockLevel());
    Tpcc tpcc = new Tpcc();
    Workload workload =
        tpcc.open(
            Settings.of(
                tpcc,
                BenchmarkProperties.parse(Benchmarks.KEYS, Path.of("props"), text, Map.of())));
    workload.prepareWithoutDatabase();
    return workload;
  }

  /** Arrays in records compare by identity, so lines are spelled out. */
  private static String text(Transaction transaction) {
    return transaction instanceof NewOrder order
        ? "%d %d %d %s %s %s %s"
            .formatted(
                order.warehouseId(),
                order.districtId(),
                order.customerId(),
                java.util.Arrays.toString(order.itemIds()),
                java.util.Arrays.toString(order.supplyWarehouseIds()),
                java.util.Arrays.toString(order.quantities()),
                order.rollback())
        : transaction.toString();
  }

  private static List<String> inputs(Terminal terminal) {
    List<String> inputs = new ArrayList<>();
    for (int index = 0; index < 200; index++) {
      inputs.add(text(terminal.next()));
    }
    return inputs;
  }

  private static final TransactionMix STANDARD = new TransactionMix(45, 43, 4, 4, 4);

  @Test
  void aTerminalsInputsDependOnTheSeedAndItsIndexAlone() {
    List<String> few = inputs(workload(5, 8, STANDARD).newTerminal(7));
    Workload many = workload(5, 500, STANDARD);
    for (int other = 499; other > 7; other--) {
      many.newTerminal(other).next();
    }

    assertThat(inputs(many.newTerminal(7))).isEqualTo(few);
    assertThat(inputs(workload(6, 8, STANDARD).newTerminal(7))).isNotEqualTo(few);
  }

  @Test
  void noTwoTerminalsShareTheirInputs() {
    Workload workload = workload(5, 300, STANDARD);
    Set<List<String>> sequences = new HashSet<>();
    for (int terminal = 0; terminal < 300; terminal++) {
      sequences.add(inputs(workload.newTerminal(terminal)));
    }
    assertThat(sequences).hasSize(300);
  }

  @Test
  void terminalsFillTheWarehousesInTurnThenTheNextDistrict() {
    Workload workload = workload(5, 40, new TransactionMix(0, 0, 0, 0, 100));
    List<String> seats = new ArrayList<>();
    for (int terminal = 0; terminal < 31; terminal++) {
      StockLevel level = (StockLevel) workload.newTerminal(terminal).next();
      seats.add(level.warehouseId() + "/" + level.districtId());
    }
    assertThat(seats).startsWith("1/1", "2/1", "3/1", "1/2", "2/2").endsWith("3/10", "1/1");
    assertThat(new HashSet<>(seats)).hasSize(30);
  }

  @Test
  void factsNameTheConstantsOfTheRun() {
    assertThat(workload(5, 1, STANDARD).facts())
        .containsKeys("cLastLoad", "cLastRun", "cCustomerRun", "cItemRun")
        .containsEntry("runWarehouses", "3");
  }
}
