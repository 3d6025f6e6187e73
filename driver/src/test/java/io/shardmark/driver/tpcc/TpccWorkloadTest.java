package io.shardmark.driver.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.config.StatementProfile;
import io.shardmark.config.TransactionMix;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.StockLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TpccWorkloadTest {
  private static TpccWorkload workload(long seed, int terminals, TransactionMix mix) {
    RunConfig config =
        new RunConfig(
            3,
            1,
            3,
            terminals,
            1,
            0,
            Duration.ofMinutes(1),
            Duration.ZERO,
            true,
            StatementProfile.BENCHMARKSQL,
            0,
            1,
            15,
            seed,
            false,
            mix,
            new PacingConfig(0, 0, 0, Duration.ZERO),
            1,
            0);
    TpccWorkload workload = new TpccWorkload(config, DatabaseKind.POSTGRES);
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
    TpccWorkload many = workload(5, 500, STANDARD);
    for (int other = 499; other > 7; other--) {
      many.newTerminal(other).next();
    }

    assertThat(inputs(many.newTerminal(7))).isEqualTo(few);
    assertThat(inputs(workload(6, 8, STANDARD).newTerminal(7))).isNotEqualTo(few);
  }

  @Test
  void noTwoTerminalsShareTheirInputs() {
    TpccWorkload workload = workload(5, 300, STANDARD);
    Set<List<String>> sequences = new HashSet<>();
    for (int terminal = 0; terminal < 300; terminal++) {
      sequences.add(inputs(workload.newTerminal(terminal)));
    }
    assertThat(sequences).hasSize(300);
  }

  @Test
  void terminalsFillTheWarehousesInTurnThenTheNextDistrict() {
    TpccWorkload workload = workload(5, 40, new TransactionMix(0, 0, 0, 0, 100));
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
