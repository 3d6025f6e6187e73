package io.shardmark.driver.sweep;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The points of a series in the order they are run: repetition by repetition, in each the terminals
 * as they were given, in each of those every database. Which database goes first changes from one
 * number of terminals to the next and from one repetition to the next, so that a machine that gets
 * slower or faster with time does it to all of them.
 */
final class SeriesOrder {
  private SeriesOrder() {}

  static List<Point> points(List<String> databases, List<Integer> terminals, int repeat) {
    List<Point> points = new ArrayList<>();
    for (int repetition = 1; repetition <= repeat; repetition++) {
      for (int index = 0; index < terminals.size(); index++) {
        List<String> order = new ArrayList<>(databases);
        Collections.rotate(order, -(repetition - 1 + index));
        for (String database : order) {
          points.add(
              new Point(database, Point.Kind.SERIES, terminals.get(index), 0, 0, repetition));
        }
      }
    }
    return points;
  }
}
