package io.shardmark.sql.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShardMapTest {
  private static final Shard S1 = new Shard(0, "s1", "db1", 5433, "bench");
  private static final Shard S2 = new Shard(1, "s2", "::1", 5434, "my bench");

  private static ShardMap.ShardMapRow hash(String table, int modulus, int remainder, Shard shard) {
    return new ShardMap.ShardMapRow(table, "hash", "w_id", modulus, remainder, null, shard);
  }

  private static ShardMap.ShardMapRow bound(String strategy, @Nullable String bound, Shard shard) {
    return new ShardMap.ShardMapRow("bmsql_warehouse", strategy, "w_id", null, null, bound, shard);
  }

  private static ShardMap.ShardMapRow reference(String table, Shard shard) {
    return new ShardMap.ShardMapRow(table, "reference", "", null, null, null, shard);
  }

  @Test
  void placesWarehousesByHashAsTheServersDo() {
    List<ShardMap.ShardMapRow> rows = new ArrayList<>();
    for (int remainder = 0; remainder < 4; remainder++) {
      rows.add(hash("bmsql_warehouse", 4, remainder, remainder < 2 ? S1 : S2));
    }
    ShardMap map = ShardMap.of(rows);

    // Remainders of 1 .. 8 modulo 4: 0 2 1 3 1 3 3 1.
    assertThat(map.shardsOf("bmsql_warehouse", 8).orElseThrow())
        .containsExactly(0, 0, 1, 0, 1, 0, 1, 1, 0);
    assertThat(map.hashPartitions("bmsql_warehouse"))
        .startsWith(new HashPartition(4, 0, 0))
        .endsWith(new HashPartition(4, 3, 1))
        .hasSize(4);
  }

  @Test
  void aShardHasAnAddressOrTheDirectoryOfItsSocket() {
    assertThat(S2.jdbcUrl()).isEqualTo("jdbc:postgresql://[::1]:5434/my%20bench");
    assertThat(S2.socket()).isEmpty();
    assertThat(new Shard(0, "s1", "/run/pg", 5433, "bench").jdbcUrl())
        .isEqualTo("jdbc:postgresql://localhost:5433/bench?unixSocket=/run/pg/.s.PGSQL.5433");
  }

  @Test
  void aReferenceTableNamesTheShardsAndNothingElse() {
    ShardMap map =
        ShardMap.of(List.of(reference("bmsql_config", S2), reference("bmsql_config", S1)));

    assertThat(map.shards()).containsExactly(S1, S2);
    assertThat(map.table("bmsql_config")).isEmpty();
    assertThat(map.shardsOf("bmsql_warehouse", 1)).isEmpty();
  }

  @Test
  void aMapWithAHolePlacesNoWarehouses() {
    ShardMap map = ShardMap.of(List.of(hash("bmsql_warehouse", 2, 0, S1)));

    assertThat(map.shardsOf("bmsql_warehouse", 2)).isPresent();
    assertThat(map.shardsOf("bmsql_warehouse", 3)).isEmpty();
  }

  @Test
  void placesWarehousesByListAndDefault() {
    ShardMap map =
        ShardMap.of(
            List.of(
                bound("list", "DEFAULT", S2),
                bound("list", "FOR VALUES IN (1, 3, NULL)", S1),
                bound("list", "FOR VALUES IN ('-5', '7')", S1)));

    assertThat(map.shardsOf("bmsql_warehouse", 7).orElseThrow())
        .containsExactly(0, 0, 1, 0, 1, 1, 1, 0);
    assertThat(map.hashPartitions("bmsql_warehouse")).isEmpty();
  }

  @Test
  void placesWarehousesByRange() {
    ShardMap map =
        ShardMap.of(
            List.of(
                bound("range", "FOR VALUES FROM (MINVALUE) TO (3)", S2),
                bound("range", "FOR VALUES FROM ('3') TO (MAXVALUE)", S1)));

    assertThat(map.shardsOf("bmsql_warehouse", 4).orElseThrow()).containsExactly(0, 1, 1, 0, 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FOR VALUES IN ('a')",
        "FOR VALUES FROM (1, 2) TO (3, 4)",
        "FOR VALUES FROM ('2020-01-01') TO ('2021-01-01')",
        "''"
      })
  void boundsOfOtherTypesTakeNoWarehouse(String bound) {
    assertThat(PartitionBound.parse(bound)).isEqualTo(new PartitionBound.Unknown(bound));
  }

  @Test
  void aShardsAddressIsAUrl() {
    assertThat(S1.jdbcUrl()).isEqualTo("jdbc:postgresql://db1:5433/bench");
    assertThat(S2.jdbcUrl()).isEqualTo("jdbc:postgresql://[::1]:5434/my%20bench");
  }
}
