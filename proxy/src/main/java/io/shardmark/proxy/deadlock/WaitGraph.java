package io.shardmark.proxy.deadlock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who waits for whom. A party waits for all its blockers, so every cycle is a deadlock; one on a
 * single shard is left to that server, which finds it by itself. Immutable.
 */
final class WaitGraph {
  private final Map<Party, List<WaitEdge>> edges = new HashMap<>();

  WaitGraph(Collection<WaitEdge> all) {
    for (WaitEdge edge : all) {
      if (!edge.waiter().equals(edge.blocker())) {
        edges.computeIfAbsent(edge.waiter(), party -> new ArrayList<>()).add(edge);
      }
    }
  }

  /**
   * The deadlocks over several shards; when the first wait of each is cut, none is left. It is that
   * of the youngest transaction of the cycle.
   *
   * @param ages when the transactions began, by id; one that is missing is never chosen
   */
  List<List<WaitEdge>> deadlocks(Map<Long, Long> ages) {
    List<Party.Transaction> youngestFirst = new ArrayList<>();
    for (Party party : edges.keySet()) {
      if (party instanceof Party.Transaction transaction && ages.containsKey(transaction.id())) {
        youngestFirst.add(transaction);
      }
    }
    // Ids grow with time too: they settle a draw the same way every time.
    youngestFirst.sort(
        Comparator.comparing((Party.Transaction transaction) -> ages.get(transaction.id()))
            .thenComparing(Party.Transaction::id)
            .reversed());
    List<List<WaitEdge>> found = new ArrayList<>();
    Set<Party> gone = new HashSet<>();
    for (Party.Transaction transaction : youngestFirst) {
      shortestCycle(transaction, gone)
          .filter(WaitGraph::spansShards)
          .ifPresent(
              cycle -> {
                found.add(cycle);
                gone.add(transaction);
              });
    }
    return found;
  }

  private static boolean spansShards(List<WaitEdge> cycle) {
    return cycle.stream().map(WaitEdge::shard).distinct().count() > 1;
  }

  /** The shortest way from a party back to itself around those that are gone, if there is one. */
  Optional<List<WaitEdge>> shortestCycle(Party start, Set<Party> gone) {
    Map<Party, WaitEdge> reachedBy = new HashMap<>();
    Deque<Party> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      Party party = open.remove();
      for (WaitEdge edge : edges.getOrDefault(party, List.of())) {
        Party next = edge.blocker();
        if (next.equals(start)) {
          return Optional.of(pathTo(edge, start, reachedBy));
        }
        if (!gone.contains(next) && reachedBy.putIfAbsent(next, edge) == null) {
          open.add(next);
        }
      }
    }
    return Optional.empty();
  }

  private static List<WaitEdge> pathTo(WaitEdge last, Party start, Map<Party, WaitEdge> reachedBy) {
    List<WaitEdge> path = new ArrayList<>(List.of(last));
    Party at = last.waiter();
    while (!at.equals(start)) {
      WaitEdge edge = reachedBy.get(at);
      if (edge == null) {
        throw new IllegalStateException("no way to " + at);
      }
      path.add(edge);
      at = edge.waiter();
    }
    Collections.reverse(path);
    return path;
  }
}
