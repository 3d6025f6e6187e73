package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.deadlock.WaitGraph.WaitEdge;
import java.time.Duration;
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
                ? transaction(OTHER, Long.parseLong(name.substring(1)))
                : transaction(OWN, Long.parseLong(name));
  }

  private static Party.PartyTransaction transaction(long proxy, long id) {
    return new Party.PartyTransaction(proxy, id, id);
  }

  /** "1>2@0": transaction 1 waits for 2 on shard 0. */
  private static WaitEdge edge(String text) {
    String[] parts = text.split("[>@]", -1);
    int shard = Integer.parseInt(parts[2]);
    LockWait wait =
        new LockWait(
            new ServerTransaction(shard, 1, "0/" + parts[0]),
            new ServerTransaction(shard, 2, "0/" + parts[1]),
            "",
            "",
            Duration.ZERO,
            "");
    return new WaitEdge(party(parts[0]), party(parts[1]), wait);
  }

  private static List<WaitEdge> edges(String text) {
    return Arrays.stream(text.split(" ", -1))
        .filter(e -> !e.isEmpty())
        .map(WaitGraphTest::edge)
        .toList();
  }

  /** What is cut. */
  private static List<WaitEdge> victims(List<WaitEdge> edges) {
    return new WaitGraph(edges)
        .deadlocks(OWN, cycle -> WaitGraph.othersBefore(cycle) == 0).stream()
            .map(cycle -> cycle.get(0))
            .toList();
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
    assertThat(victims(edges(edges))).isEqualTo(edges(cuts));
  }

  @ParameterizedTest
  @CsvSource({
    "1>2@0, ''",
    "1>f2@0, ''",
    "1>f2@0 f2>1@1, 0:0/1=1 1:0/1=1",
    "f2>1@0 1>3@0, 0:0/1=1",
    "f2>1@0 1>3@1 3>f4@1, 0:0/1=1 1:0/1=1 1:0/3=3",
    "1>1@0, ''",
  })
  void showsThePartsThatWaitAndAreWaitedFor(String edges, String shown) {
    List<String> parts = new ArrayList<>();
    new WaitGraph(edges(edges))
        .partsBetween(OWN)
        .forEach(
            (shard, keys) ->
                keys.forEach((key, whole) -> parts.add(shard + ":" + key + "=" + whole.id())));
    assertThat(parts)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(shown.split(" ", -1)).filter(part -> !part.isEmpty()).toList());
  }

  @Test
  void whatLinksTwoShardsIsShownFirst() {
    List<WaitEdge> edges = edges("1>2@0 2>3@0 3>4@0 4>5@0 5>6@0 6>7@0 f8>6@1 f9>2@0");
    assertThat(new WaitGraph(edges).partsBetween(OWN).getOrDefault(0, Map.of()).values())
        .startsWith((Party.PartyTransaction) party("6"))
        .hasSize(5);
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
      Set<Party> cut = victims(edges).stream().map(WaitEdge::waiter).collect(Collectors.toSet());
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
