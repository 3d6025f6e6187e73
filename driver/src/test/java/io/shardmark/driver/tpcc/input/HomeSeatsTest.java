package io.shardmark.driver.tpcc.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HomeSeatsTest {
  /** Shard 0 has five of six warehouses, shard 1 one, shard 2 none. */
  private static final WarehouseShards UNEVEN =
      WarehouseShards.of(new int[] {0, 0, 0, 0, 1, 0, 0}, 3);

  private static List<HomeSeats.Seat> seats(HomeSeats seats, int terminals) {
    return IntStream.range(0, terminals).mapToObj(seats::seat).toList();
  }

  @Test
  void withoutShardsTerminalsFillTheWarehousesInTurn() {
    HomeSeats seats = HomeSeats.of(2, 4, WarehouseShards.UNKNOWN);

    assertThat(seats(seats, 4))
        .containsExactly(
            new HomeSeats.Seat(2, 1),
            new HomeSeats.Seat(3, 1),
            new HomeSeats.Seat(4, 1),
            new HomeSeats.Seat(2, 2));
  }

  @Test
  void everyShardWithAWarehouseGetsTheSameNumberOfTerminals() {
    Map<Integer, Integer> terminals = new HashMap<>();
    for (HomeSeats.Seat seat : seats(HomeSeats.of(1, 6, UNEVEN), 20)) {
      terminals.merge(UNEVEN.shardOf(seat.warehouseId()), 1, Integer::sum);
    }

    assertThat(terminals).isEqualTo(Map.of(0, 10, 1, 10));
  }

  @Test
  void withinAShardTerminalsFillWarehousesThenDistricts() {
    Set<HomeSeats.Seat> distinct = new HashSet<>(seats(HomeSeats.of(1, 6, UNEVEN), 20));

    assertThat(distinct).hasSize(20);
    assertThat(distinct.stream().filter(seat -> seat.warehouseId() == 4))
        .extracting(HomeSeats.Seat::districtId)
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void aProcessUsesOnlyItsOwnWarehouses() {
    assertThat(seats(HomeSeats.of(3, 4, UNEVEN), 6))
        .extracting(HomeSeats.Seat::warehouseId)
        .containsExactly(3, 4, 3, 4, 3, 4);
  }
}
