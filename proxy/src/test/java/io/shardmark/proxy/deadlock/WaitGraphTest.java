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
  private static final long OWN = 7;
  private static final long OTHER = 8;

  /**
   * Numbers are transactions, whose age is their number (a greater one is younger), f is another
   * proxy's, x a stranger.
   */
  private static Party party(String name) {
    return name.equals("p")
        ? new Party.Stranger(new ServerTransaction(0, 0, "prepared"))
        : name.startsWith("x")
            ? new Party.Stranger(
                new ServerTransaction(0, Integer.parseInt(name.substring(1)), "1/1"))
            : name.startsWith("f")
                ? new Party.Transaction(OTHER, Long.parseLong(name.substring(1)))
                : new Party.Transaction(OWN, Long.parseLong(name));
  }

  /** "1>2@0": transaction 1 waits for 2 on shard 0. */
  private static WaitEdge edge(String text) {
    String[] parts = text.split("[>@]", -1);
    ServerTransaction server = new ServerTransaction(Integer.parseInt(parts[2]), 1, "1/1");
    return new WaitEdge(party(parts[0]), party(parts[1]), new WaitEdge.Wait(server, server, ""));
  }

  private static List<WaitEdge> edges(String text) {
    return Arrays.stream(text.split(" ", -1))
        .filter(e -> !e.isEmpty())
        .map(WaitGraphTest::edge)
        .toList();
  }

  /** What is cut. */
  private static List<WaitEdge> victims(List<WaitEdge> edges, Ages ages) {
    Set<Party> waiters = edges.stream().map(WaitEdge::waiter).collect(Collectors.toSet());
    return new WaitGraph(edges)
        .deadlocks(ages.ownYoungestFirst(waiters), cycle -> ages.othersBefore(cycle) == 0).stream()
            .map(cycle -> cycle.get(0))
            .toList();
  }

  private static Ages ages(int count) {
    Map<Party.Transaction, Long> starts = new HashMap<>();
    for (long id = 1; id <= count; id++) {
      starts.put(new Party.Transaction(OWN, id), id);
      starts.put(new Party.Transaction(OTHER, id), id);
    }
    return new Ages(starts, OWN);
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
    "1>x7@0 x7>2@0 2>1@1, ''",
    "1>f2@0 f2>1@1, ''",
    "3>f2@0 f2>3@1, 3>f2@0",
    "2>f2@0 f2>2@1, ''",
    "x7>x8@0 x8>x7@1, ''",
    "1>p@0 2>1@1, ''",
    "1>1@0, ''",
    "1>3@0 3>1@1 2>3@0 3>2@1, 3>1@1",
  })
  void cutsItsOwnThatIsTheYoungestOfACycleOverSeveralShards(String edges, String cuts) {
    assertThat(victims(edges(edges), ages(9))).isEqualTo(edges(cuts));
  }

  @ParameterizedTest
  @CsvSource({
    "1>2@0 2>1@1, ''",
    "1>f2@0, ''",
    "1>f2@0 f2>1@1, 1 f2",
    "f2>1@0 1>3@0 3>x4@1 5>x4@1 3>6@0, 1 3",
    "f2>1@0 1>3@0 3>f4@1 f4>5@0 5>x6@1 f2>7@0, 1 3 f4 5",
    "1>p@0 f2>1@1, 1",
  })
  void onlyWhoIsBetweenOthersMayBeInACycleWithThem(String edges, String between) {
    Set<Party> expected =
        Arrays.stream(between.split(" ", -1))
            .filter(name -> !name.isEmpty())
            .map(WaitGraphTest::party)
            .collect(Collectors.toSet());
    assertThat(
            new WaitGraph(edges(edges))
                .between(
                    party ->
                        !(party instanceof Party.Transaction transaction
                            && transaction.proxy() == OWN)))
        .isEqualTo(expected);
  }

  @Test
  void neverCutsWhatHasEndedSince() {
    Ages onlyOne = new Ages(Map.of(new Party.Transaction(OWN, 1), 1L), OWN);
    assertThat(victims(edges("1>2@0 2>1@1"), onlyOne)).isEmpty();
    assertThat(victims(edges("1>2@0 2>1@1"), new Ages(Map.of(), OWN))).isEmpty();
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
