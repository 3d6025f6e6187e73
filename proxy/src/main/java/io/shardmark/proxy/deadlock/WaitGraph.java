package io.shardmark.proxy.deadlock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

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
   * The deadlocks over several shards that are to be broken now; when the first wait of each is
   * cut, none of them is left. It is that of the first candidate that is in the cycle.
   *
   * @param candidates that may be chosen, the best first
   * @param due whether a cycle, which begins with the candidate's wait, is to be broken now
   */
  List<List<WaitEdge>> deadlocks(
      List<Party.Transaction> candidates, Predicate<List<WaitEdge>> due) {
    List<List<WaitEdge>> found = new ArrayList<>();
    Set<Party> gone = new HashSet<>();
    for (Party.Transaction candidate : candidates) {
      shortestCycle(candidate, gone)
          .filter(WaitGraph::spansShards)
          .filter(due)
          .ifPresent(
              cycle -> {
                found.add(cycle);
                gone.add(candidate);
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

  /**
   * Who waits for one of these parties and is waited for by one of them, directly or through
   * others. Only they can be in a cycle with these.
   */
  Set<Party> between(Predicate<Party> ends) {
    Set<Party> between = reached(ends, WaitEdge::waiter, WaitEdge::blocker);
    between.retainAll(reached(ends, WaitEdge::blocker, WaitEdge::waiter));
    return between;
  }

  private Set<Party> reached(
      Predicate<Party> starts, Function<WaitEdge, Party> from, Function<WaitEdge, Party> to) {
    Map<Party, List<Party>> next = new HashMap<>();
    Deque<Party> open = new ArrayDeque<>();
    Set<Party> reached = new HashSet<>();
    for (List<WaitEdge> list : edges.values()) {
      for (WaitEdge edge : list) {
        next.computeIfAbsent(from.apply(edge), party -> new ArrayList<>()).add(to.apply(edge));
        if (starts.test(from.apply(edge)) && reached.add(to.apply(edge))) {
          open.add(to.apply(edge));
        }
      }
    }
    while (!open.isEmpty()) {
      for (Party party : next.getOrDefault(open.remove(), List.of())) {
        if (reached.add(party)) {
          open.add(party);
        }
      }
    }
    return reached;
  }
}
