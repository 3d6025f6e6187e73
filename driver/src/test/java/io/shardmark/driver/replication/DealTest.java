package io.shardmark.driver.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ten tables of 100,000 rows, whichever terminal is free. */
final class DealTest {
  private static ReplicationWorkload workload(int terminals, Map<String, String> more) {
    Map<String, String> keys =
        new HashMap<>(
            Map.of(
                "tables", "10",
                "rows", "0",
                "statementsPerCommit", "50000",
                "dealRows", "100000",
                "runTxnsPerTerminal", "20",
                "terminals", Integer.toString(terminals)));
    keys.putAll(more);
    return new ReplicationWorkload(
        Settings.of(new Replication(), Pair.properties("jdbc:postgresql://127.0.0.1/x", keys)));
  }

  @ParameterizedTest
  @CsvSource({"1", "3", "8", "20"})
  void eachTableGetsItsRowsWhicheverTerminalIsFree(int terminals) {
    for (int seed = 0; seed < 20; seed++) {
      ReplicationWorkload workload = workload(terminals, Map.of());
      workload.prepareWithoutDatabase();
      Map<Integer, Integer> transactions = new HashMap<>();
      List<Terminal> free = new ArrayList<>();
      for (int i = 0; i < terminals; i++) {
        free.add(workload.newTerminal(i));
      }
      List<ReplicationTerminal.ReplicationInput> drawn = new ArrayList<>();
      free.forEach(terminal -> drawn.add((ReplicationTerminal.ReplicationInput) terminal.next()));
      SplittableRandom random = new SplittableRandom(seed);
      while (!free.isEmpty()) {
        int next = random.nextInt(free.size());
        ReplicationTerminal.ReplicationInput done = drawn.get(next);
        assertThat(TableLayout.laneOf(done.firstId()) % 10).isEqualTo(done.lane().table());
        done.committed();
        transactions.merge(done.lane().table(), 1, Integer::sum);
        if (free.get(next).goesOn()) {
          drawn.set(next, (ReplicationTerminal.ReplicationInput) free.get(next).next());
        } else {
          free.remove(next);
          drawn.remove(next);
        }
      }
      assertThat(transactions).hasSize(10).allSatisfy((table, n) -> assertThat(n).isEqualTo(2));
    }
  }

  /** A lane is written by one terminal. */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 96", "10, 8", "10, 96", "3, 256", "64, 5"})
  void everyLaneIsOfOneTerminalAndEachTableOfEachWhereLanesSuffice(int tables, int terminals) {
    TableLayout layout = new TableLayout(tables, 0, 10, 255);
    List<Integer> places = new ArrayList<>();
    for (int lane = 0; lane < TableLayout.LANES; lane++) {
      places.add(layout.placeOf(lane));
    }
    assertThat(places)
        .doesNotHaveDuplicates()
        .allMatch(place -> place >= 0 && place < TableLayout.LANES);
    if (terminals <= layout.lanesOf(tables - 1)) {
      for (int terminal = 0; terminal < terminals; terminal++) {
        int number = terminal;
        assertThat(
                java.util.stream.IntStream.range(0, TableLayout.LANES)
                    .filter(lane -> layout.placeOf(lane) % terminals == number)
                    .map(layout::tableOf)
                    .distinct()
                    .count())
            .isEqualTo(tables);
      }
    }
  }

  @Test
  void whatCannotBeDealtIsRefused() {
    assertThatThrownBy(() -> workload(8, Map.of("dealRows", "70000")))
        .hasMessageContaining("a multiple of statementsPerCommit=50000");
    assertThatThrownBy(() -> workload(8, Map.of("operations", "insert, delete")))
        .hasMessageContaining("insert with dealRows");
    assertThatThrownBy(() -> workload(21, Map.of()))
        .hasMessageContaining("at most 20 with dealRows=100000 and tables=10");
    assertThatThrownBy(() -> workload(8, Map.of("runTxnsPerTerminal", "19")))
        .hasMessageContaining("20 or more with dealRows=100000");
  }
}
