package io.shardmark.sql.shards;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Which parts of a table must move so that every node has its share of what they hold. Parts go
 * from the fullest node to the emptiest, the one that evens the two most, until none helps: few
 * moves, and what is even stays as it is.
 */
final class EvenPlacement {
  private EvenPlacement() {}

  /**
   * A part goes to another node.
   *
   * @param part index
   * @param from index of the node that has it
   * @param to index of the node that gets it
   */
  record Move(int part, int from, int to) {}

  /**
   * The moves, in their order.
   *
   * @param weights what each part holds
   * @param nodes the node that has each part, 0 .. nodeCount - 1
   * @param nodeCount from 1; nodes without a part get some
   */
  static List<Move> moves(int[] weights, int[] nodes, int nodeCount) {
    int[] nodeOf = nodes.clone();
    long[] load = new long[nodeCount];
    for (int part = 0; part < weights.length; part++) {
      load[nodeOf[part]] += weights[part];
    }
    List<Move> moves = new ArrayList<>();
    while (true) {
      int fullest = 0;
      int emptiest = 0;
      for (int node = 1; node < nodeCount; node++) {
        fullest = load[node] > load[fullest] ? node : fullest;
        emptiest = load[node] < load[emptiest] ? node : emptiest;
      }
      OptionalInt part = best(weights, nodeOf, fullest, load[fullest] - load[emptiest]);
      if (part.isEmpty()) {
        return moves;
      }
      int moved = part.getAsInt();
      moves.add(new Move(moved, fullest, emptiest));
      nodeOf[moved] = emptiest;
      load[fullest] -= weights[moved];
      load[emptiest] += weights[moved];
    }
  }

  /** A part of a node that makes a difference to another smaller, and most so. */
  private static OptionalInt best(int[] weights, int[] nodeOf, int node, long difference) {
    return IntStream.range(0, weights.length)
        .filter(part -> nodeOf[part] == node && weights[part] > 0 && weights[part] < difference)
        .reduce(
            (a, b) ->
                Math.abs(difference - 2L * weights[b]) < Math.abs(difference - 2L * weights[a])
                    ? b
                    : a);
  }
}
