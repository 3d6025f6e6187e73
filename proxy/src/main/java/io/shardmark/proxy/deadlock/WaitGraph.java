package io.shardmark.proxy.deadlock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Who waits for whom. A party waits for all its blockers, so every cycle is a deadlock; one on a
 * single shard is left to that server, which finds it. Immutable.
 */
final class WaitGraph {
  private final Map<Party, List<WaitEdge>> edges = new HashMap<>();

  /** A party waits for another. */
  record WaitEdge(Party waiter, Party blocker, LockWait lockWait) {}

  WaitGraph(Collection<WaitEdge> all) {
    for (WaitEdge edge : all) {
      if (!edge.waiter().equals(edge.blocker())) {
        edges.computeIfAbsent(edge.waiter(), party -> new ArrayList<>()).add(edge);
      }
    }
  }

  /**
   * The deadlocks over several shards through transactions of a proxy that are to be broken now;
   * when the first wait of each is cut, none of them is left. It is that of the youngest of them in
   * the cycle.
   *
   * @param due whether a cycle, which begins with that wait, is to be broken now
   */
  List<List<WaitEdge>> deadlocks(long proxy, Predicate<List<WaitEdge>> due) {
    List<List<WaitEdge>> found = new ArrayList<>();
    Set<Party> gone = new HashSet<>();
    edges.keySet().stream()
        .flatMap(party -> Party.of(proxy, party).stream())
        .sorted(Party.PartyTransaction.YOUNGEST_FIRST)
        .forEach(
            candidate ->
                shortestCycle(candidate, gone)
                    .filter(WaitGraph::spansShards)
                    .filter(due)
                    .ifPresent(
                        cycle -> {
                          found.add(cycle);
                          gone.add(candidate);
                        }));
    return found;
  }

  /**
   * How many others in a cycle somebody else would rather cancel, or might: those of other proxies
   * that are younger than the one that waits first in the cycle, and those that nothing is known
   * of.
   */
  static long othersBefore(List<WaitEdge> cycle) {
    Party first = cycle.get(0).waiter();
    return cycle.stream()
        .map(WaitEdge::waiter)
        .filter(
            party ->
                !(party instanceof Party.PartyTransaction other)
                    || (first instanceof Party.PartyTransaction chosen
                        && other.proxy() != chosen.proxy()
                        && Party.PartyTransaction.YOUNGEST_FIRST.compare(other, chosen) < 0))
        .count();
  }

  private static boolean spansShards(List<WaitEdge> cycle) {
    return cycle.stream().map(edge -> edge.lockWait().shard()).distinct().count() > 1;
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
   * What other proxies need to know to find a cycle through transactions of this proxy: the keys of
   * those parts, by shard, that wait or are waited for, of transactions that do both. First those
   * that link one shard to another, without which no cycle can be seen; as there may not be room
   * for all, those in an order that is another one each time.
   */
  Map<Integer, Map<String, Party.PartyTransaction>> partsBetween(long proxy) {
    Map<Party.PartyTransaction, Set<ServerTransaction>> waiting = new HashMap<>();
    Map<Party.PartyTransaction, Set<ServerTransaction>> holding = new HashMap<>();
    for (List<WaitEdge> list : edges.values()) {
      for (WaitEdge edge : list) {
        add(waiting, Party.of(proxy, edge.waiter()), edge.lockWait().waiter());
        add(holding, Party.of(proxy, edge.blocker()), edge.lockWait().holder());
      }
    }
    waiting.keySet().retainAll(holding.keySet());
    List<Party.PartyTransaction> between = new ArrayList<>(waiting.keySet());
    Collections.shuffle(between);
    Map<Integer, Map<String, Party.PartyTransaction>> parts = new HashMap<>();
    for (boolean links : new boolean[] {true, false}) {
      for (Party.PartyTransaction whole : between) {
        Set<ServerTransaction> all = new HashSet<>(waiting.getOrDefault(whole, Set.of()));
        all.addAll(holding.getOrDefault(whole, Set.of()));
        if (links == all.stream().map(ServerTransaction::shard).distinct().count() > 1) {
          for (ServerTransaction part : all) {
            parts
                .computeIfAbsent(part.shard(), shard -> new LinkedHashMap<>())
                .put(part.key(), whole);
          }
        }
      }
    }
    return parts;
  }

  private static void add(
      Map<Party.PartyTransaction, Set<ServerTransaction>> parts,
      Optional<Party.PartyTransaction> whole,
      ServerTransaction part) {
    if (whole.isPresent() && !part.key().isEmpty()) {
      parts.computeIfAbsent(whole.get(), transaction -> new HashSet<>()).add(part);
    }
  }
}
