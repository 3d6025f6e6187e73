package io.shardmark.sql.history;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Who comes after whom, and why: a graph of transactions, each known by its place in the history.
 * Built once, then only read.
 */
final class Dependencies {
  /** Why one transaction comes after another. */
  enum Reason {
    APPENDED_AFTER("%2$s appends to list %3$d after %1$s"),
    READ_FROM("%2$s reads the append of %1$s to list %3$d"),
    NOT_SEEN("%1$s reads list %3$d without the append of %2$s");

    private final String sentence;

    Reason(String sentence) {
      this.sentence = sentence;
    }

    String sentence(int from, int to, int list) {
      return sentence.formatted("T" + from, "T" + to, list);
    }
  }

  private static final int FIELDS = 3;

  private final int nodes;
  private int[] edges = new int[FIELDS * 1024];
  private Reason[] reasons = new Reason[1024];
  private int count;

  Dependencies(int nodes) {
    this.nodes = nodes;
  }

  int nodes() {
    return nodes;
  }

  int edges() {
    return count;
  }

  void add(int from, int to, Reason reason, int list) {
    if (from == to) {
      return;
    }
    if (count == reasons.length) {
      edges = Arrays.copyOf(edges, 2 * edges.length);
      reasons = Arrays.copyOf(reasons, 2 * reasons.length);
    }
    edges[FIELDS * count] = from;
    edges[FIELDS * count + 1] = to;
    edges[FIELDS * count + 2] = list;
    reasons[count++] = reason;
  }

  int from(int edge) {
    return edges[FIELDS * edge];
  }

  int to(int edge) {
    return edges[FIELDS * edge + 1];
  }

  int list(int edge) {
    return edges[FIELDS * edge + 2];
  }

  Reason reason(int edge) {
    return reasons[edge];
  }

  /** The graph of the edges that have one of these reasons. */
  Graph graph(Set<Reason> wanted) {
    int[] chosen = new int[count];
    int size = 0;
    for (int edge = 0; edge < count; edge++) {
      if (wanted.contains(reason(edge))) {
        chosen[size++] = edge;
      }
    }
    int[] from = new int[size];
    int[] to = new int[size];
    for (int i = 0; i < size; i++) {
      from[i] = from(chosen[i]);
      to[i] = to(chosen[i]);
    }
    return new Graph(nodes, from, to);
  }

  /**
   * The graph of the walks in which no two edges in a row are {@link Reason#NOT_SEEN}. Node {@code
   * 2 n} is transaction n reached by another edge, {@code 2 n + 1} by such a one. It has a cycle if
   * and only if no snapshots explain the history (Cerone and Gotsman, 2018).
   */
  Graph withoutTwoUnseenInARow() {
    int[] from = new int[2 * count];
    int[] to = new int[2 * count];
    int size = 0;
    for (int edge = 0; edge < count; edge++) {
      boolean unseen = reason(edge) == Reason.NOT_SEEN;
      from[size] = 2 * from(edge);
      to[size++] = 2 * to(edge) + (unseen ? 1 : 0);
      if (!unseen) {
        from[size] = 2 * from(edge) + 1;
        to[size++] = 2 * to(edge);
      }
    }
    return new Graph(2 * nodes, Arrays.copyOf(from, size), Arrays.copyOf(to, size));
  }

  static Set<Reason> all() {
    return EnumSet.allOf(Reason.class);
  }
}
