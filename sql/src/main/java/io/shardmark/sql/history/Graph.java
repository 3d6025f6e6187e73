package io.shardmark.sql.history;

import java.util.Arrays;
import java.util.PriorityQueue;

/** A directed graph of numbered nodes in arrays, for millions of edges. Immutable. */
final class Graph {
  private final int nodes;

  /** The edges of node n are those from {@code first[n]} to {@code first[n + 1]}. */
  private final int[] first;

  private final int[] targets;

  Graph(int nodes, int[] from, int[] to) {
    this.nodes = nodes;
    first = new int[nodes + 1];
    for (int node : from) {
      first[node + 1]++;
    }
    for (int node = 0; node < nodes; node++) {
      first[node + 1] += first[node];
    }
    targets = new int[to.length];
    int[] next = Arrays.copyOf(first, nodes);
    for (int edge = 0; edge < to.length; edge++) {
      targets[next[from[edge]]++] = to[edge];
    }
  }

  /**
   * The strongly connected component of each node, by a number (Tarjan's algorithm, without
   * recursion). Two nodes have one number if and only if a cycle goes through both.
   */
  int[] components() {
    int[] component = new int[nodes];
    int[] index = new int[nodes];
    int[] low = new int[nodes];
    int[] edge = Arrays.copyOf(first, nodes);
    int[] open = new int[nodes];
    int[] path = new int[nodes];
    int opened = 0;
    int seen = 0;
    int components = 0;
    for (int root = 0; root < nodes; root++) {
      if (index[root] != 0) {
        continue;
      }
      int depth = 0;
      path[0] = root;
      index[root] = low[root] = ++seen;
      open[opened++] = root;
      while (depth >= 0) {
        int node = path[depth];
        if (edge[node] < first[node + 1]) {
          int target = targets[edge[node]++];
          if (index[target] == 0) {
            index[target] = low[target] = ++seen;
            open[opened++] = target;
            path[++depth] = target;
          } else if (component[target] == 0) {
            low[node] = Math.min(low[node], index[target]);
          }
          continue;
        }
        if (low[node] == index[node]) {
          components++;
          int member;
          do {
            member = open[--opened];
            component[member] = components;
          } while (member != node);
        }
        if (--depth >= 0) {
          low[path[depth]] = Math.min(low[path[depth]], low[node]);
        }
      }
    }
    return component;
  }

  /** A place of each node in an order in which edges lead up; only of a graph without cycles. */
  int[] ranks() {
    int[] missing = new int[nodes];
    for (int target : targets) {
      missing[target]++;
    }
    // By number, so that the ranks of transactions that are close in time are close.
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (int node = 0; node < nodes; node++) {
      if (missing[node] == 0) {
        ready.add(node);
      }
    }
    int[] ranks = new int[nodes];
    for (int rank = 0; !ready.isEmpty(); rank++) {
      int node = ready.remove();
      ranks[node] = rank;
      for (int edge = first[node]; edge < first[node + 1]; edge++) {
        if (--missing[targets[edge]] == 0) {
          ready.add(targets[edge]);
        }
      }
    }
    return ranks;
  }

  /** Finds paths one after the other, with one set of arrays. */
  final class Search {
    private final int[] group;
    private final int[] before = new int[nodes];
    private final int[] round = new int[nodes];
    private final int[] queue = new int[nodes];
    private int rounds;

    /**
     * @param group of each node; paths stay within the group of their begin
     */
    Search(int[] group) {
      this.group = group;
    }

    /**
     * The nodes of a shortest path, both ends included; none if there is no path.
     *
     * @param most nodes that the path may have
     * @param ranks no node of the path has a higher rank than its end; the path leads up if they
     *     are those of {@link Graph#ranks}
     */
    int[] path(int from, int to, int most, int[] ranks) {
      rounds++;
      queue[0] = from;
      round[from] = rounds;
      before[from] = from;
      int end = 1;
      int length = 1;
      int level = 1;
      for (int at = 0; at < end && length <= most; at++) {
        if (at == level) {
          level = end;
          if (++length > most) {
            break;
          }
        }
        int node = queue[at];
        if (node == to) {
          return backFrom(from, to, length);
        }
        for (int edge = first[node]; edge < first[node + 1]; edge++) {
          int target = targets[edge];
          if (round[target] != rounds
              && group[target] == group[from]
              && (ranks.length == 0 || ranks[target] <= ranks[to])) {
            round[target] = rounds;
            before[target] = node;
            queue[end++] = target;
          }
        }
      }
      return new int[0];
    }

    private int[] backFrom(int from, int to, int length) {
      int[] path = new int[length];
      int at = length;
      for (int node = to; node != from; node = before[node]) {
        path[--at] = node;
      }
      path[0] = from;
      return path;
    }
  }
}
