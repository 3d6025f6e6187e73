package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.growth.Rebalance.Moved;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RebalanceTest {
  @Test
  void aNewShardGetsItsShareWithTheFewestMoves() {
    List<Rebalance.SizedPartition> parts = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      parts.add(new Rebalance.SizedPartition("p" + i, i % 2, 1_000));
    }

    List<Moved> moves = Rebalance.moves(parts, 3);

    assertThat(moves).hasSize(5).allMatch(move -> move.to() == 2);
    assertThat(moves.stream().filter(move -> move.from() == 0).count()).isBetween(2L, 3L);
  }

  @Test
  void emptyPartitionsAreSpreadToo() {
    List<Rebalance.SizedPartition> parts =
        List.of(
            new Rebalance.SizedPartition("a", 0, 0),
            new Rebalance.SizedPartition("b", 0, 0),
            new Rebalance.SizedPartition("c", 0, 0));

    assertThat(Rebalance.moves(parts, 3)).hasSize(2);
  }

  @Test
  void whatIsBalancedStays() {
    assertThat(
            Rebalance.moves(
                List.of(
                    new Rebalance.SizedPartition("a", 0, 10),
                    new Rebalance.SizedPartition("b", 1, 9)),
                2))
        .isEmpty();
    assertThat(Rebalance.moves(List.of(new Rebalance.SizedPartition("only", 0, 10)), 2)).isEmpty();
  }

  @Test
  void noPartitionMovesTwiceAndNoShardIsFullerThanBefore() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      int shards = 2 + random.nextInt(4);
      Map<String, Rebalance.SizedPartition> parts = new LinkedHashMap<>();
      for (int i = random.nextInt(40); i >= 0; i--) {
        parts.put(
            "p" + i,
            new Rebalance.SizedPartition("p" + i, random.nextInt(shards), random.nextInt(10_000)));
      }
      long before = fullest(parts, shards);

      List<Moved> moves = Rebalance.moves(List.copyOf(parts.values()), shards);

      assertThat(moves).extracting(Moved::partition).doesNotHaveDuplicates();
      for (Moved move : moves) {
        Rebalance.SizedPartition part = Objects.requireNonNull(parts.get(move.partition()));
        assertThat(part.shard()).isEqualTo(move.from());
        parts.put(
            part.partition(),
            new Rebalance.SizedPartition(part.partition(), move.to(), part.bytes()));
      }
      assertThat(fullest(parts, shards)).as("seed " + seed).isLessThanOrEqualTo(before);
      assertThat(Rebalance.moves(List.copyOf(parts.values()), shards).size())
          .as("moves of what is balanced, seed " + seed)
          .isLessThanOrEqualTo(moves.size());
    }
  }

  private static long fullest(Map<String, Rebalance.SizedPartition> parts, int shards) {
    long[] bytes = new long[shards];
    parts.values().forEach(part -> bytes[part.shard()] += part.bytes());
    long most = 0;
    for (long one : bytes) {
      most = Math.max(most, one);
    }
    return most;
  }
}
