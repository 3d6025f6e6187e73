package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WaitGraphTest {
  /**
   * Numbers are transactions, whose age is their number (a greater one is younger); x is a
   * stranger.
   */
  private static Party party(String name) {
    return name.equals("p")
        ? new Party.Prepared(0)
        : name.startsWith("x")
            ? new Party.Stranger(0, Integer.parseInt(name.substring(1)))
            : new Party.Transaction(Long.parseLong(name));
  }

  /** "1>2@0": transaction 1 waits for 2 on shard 0. */
  private static WaitEdge edge(String text) {
    String[] parts = text.split("[>@]", -1);
    return new WaitEdge(party(parts[0]), party(parts[1]), Integer.parseInt(parts[2]), 1);
  }

  /** What is cut. */
  private static List<WaitEdge> victims(List<WaitEdge> edges, Map<Long, Long> ages) {
    return new WaitGraph(edges).deadlocks(ages).stream().map(cycle -> cycle.get(0)).toList();
  }

  private static Map<Long, Long> ages(int count) {
    Map<Long, Long> ages = new HashMap<>();
    for (long id = 1; id <= count; id++) {
      ages.put(id, id);
    }
    return ages;
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "1>2@0, ''",
    "1>2@0 2>1@1, 2>1@1",
    "1>2@1 2>1@0, 2>1@0",
    "1>2@0 2>1@0, ''",
    "1>2@0 2>3@1 3>1@2, 3>1@2",
    "1>3@0 3>2@1 2>1@0, 3>2@1",
    "1>2@0 2>1@1 3>1@0, 2>1@1",
    "1>2@0 2>1@1 3>4@0 4>3@1, 4>3@1 2>1@1",
    "1>x7@0 x7>2@0 2>1@1, 2>1@1",
    "x7>x8@0 x8>x7@1, ''",
    "1>p@0 2>1@1, ''",
    "1>1@0, ''",
    "1>3@0 3>1@1 2>3@0 3>2@1, 3>1@1",
  })
  void cutsTheYoungestOfEachCycleOverSeveralShards(String edges, String cuts) {
    List<WaitEdge> graph =
        Arrays.stream(edges.split(" ", -1))
            .filter(e -> !e.isEmpty())
            .map(WaitGraphTest::edge)
            .toList();
    List<WaitEdge> expected =
        Arrays.stream(cuts.split(" ", -1))
            .filter(e -> !e.isEmpty())
            .map(WaitGraphTest::edge)
            .toList();
    assertThat(victims(graph, ages(9))).isEqualTo(expected);
  }

  @Test
  void neverCutsWhatHasEndedSince() {
    assertThat(victims(List.of(edge("1>2@0"), edge("2>1@1")), Map.of(1L, 1L)))
        .containsExactly(edge("1>2@0"));
    assertThat(victims(List.of(edge("1>2@0"), edge("2>1@1")), Map.of())).isEmpty();
  }

  /** Against a simple closure: what is left after the cuts has no cycle of transactions alone. */
  @Test
  void leavesNoCycleWhenEveryWaitIsOnAnotherShard() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int count = 2 + random.nextInt(6);
      List<WaitEdge> edges = new ArrayList<>();
      for (int edge = 0; edge < count * 2; edge++) {
        edges.add(
            edge((1 + random.nextInt(count)) + ">" + (1 + random.nextInt(count)) + "@" + edge));
      }
      Set<Party> cut =
          victims(edges, ages(count)).stream().map(WaitEdge::waiter).collect(Collectors.toSet());
      List<WaitEdge> rest =
          edges.stream()
              .filter(e -> !cut.contains(e.waiter()) && !cut.contains(e.blocker()))
              .toList();
      assertThat(hasCycle(rest)).as("seed %d, %s", seed, edges).isFalse();
      if (!hasCycle(edges)) {
        assertThat(cut).as("seed %d, %s", seed, edges).isEmpty();
      }
    }
  }

  private static boolean hasCycle(List<WaitEdge> edges) {
    Map<Party, Set<Party>> reach = new HashMap<>();
    for (WaitEdge edge : edges) {
      if (!edge.waiter().equals(edge.blocker())) {
        reach.computeIfAbsent(edge.waiter(), party -> new HashSet<>()).add(edge.blocker());
      }
    }
    for (int step = 0; step < 10; step++) {
      for (Set<Party> reached : reach.values()) {
        for (Party party : List.copyOf(reached)) {
          reached.addAll(reach.getOrDefault(party, Set.of()));
        }
      }
    }
    return reach.entrySet().stream().anyMatch(entry -> entry.getValue().contains(entry.getKey()));
  }
}
