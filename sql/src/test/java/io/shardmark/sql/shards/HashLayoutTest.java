package io.shardmark.sql.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.sql.hash.PartitionHash;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HashLayoutTest {
  private static int[] warehousesOfShards(List<HashPartition> layout, int warehouses, int shards) {
    int[] counts = new int[shards];
    for (int warehouse = 1; warehouse <= warehouses; warehouse++) {
      long hash = PartitionHash.ofKey(warehouse);
      List<HashPartition> taken =
          layout.stream()
              .filter(part -> PartitionHash.remainder(hash, part.modulus()) == part.remainder())
              .toList();
      assertThat(taken).as("partitions of warehouse %d", warehouse).hasSize(1);
      counts[taken.get(0).shard()]++;
    }
    return counts;
  }

  @ParameterizedTest
  @CsvSource({"2, 2, 1", "4, 2, 2", "6, 2, 3", "10, 2, 5", "6, 3, 2", "8, 4, 2", "100, 2, 51"})
  void everyShardHasItsShareOfFewWarehouses(int warehouses, int shards, int most) {
    int[] counts = warehousesOfShards(HashLayout.of(warehouses, shards, 1), warehouses, shards);

    assertThat(IntStream.of(counts).max().orElseThrow()).isLessThanOrEqualTo(most);
  }

  @Test
  void takesNoMorePartitionsThanEvennessNeeds() {
    assertThat(HashLayout.of(10_000, 2, 1)).hasSize(2);
    assertThat(HashLayout.of(2, 2, 1).size()).isLessThanOrEqualTo(16);
  }

  @Test
  void takesAsManyAsAreWantedToMove() {
    assertThat(HashLayout.of(10, 2, 16)).hasSize(16);
    assertThat(HashLayout.of(10, 3, 16)).hasSize(18);
    assertThat(HashLayout.of(10, 2, 64)).hasSize(64);
  }

  @Test
  void oneShardHasOnePartition() {
    assertThat(HashLayout.of(7, 1, 16)).containsExactly(new HashPartition(1, 0, 0));
  }

  @Test
  void everyShardHasAPartitionEvenWithoutAWarehouse() {
    assertThat(HashLayout.of(1, 4, 1)).extracting(HashPartition::shard).contains(0, 1, 2, 3);
  }
}
