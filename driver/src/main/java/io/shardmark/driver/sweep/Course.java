package io.shardmark.driver.sweep;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which point comes next, from what the plan says and nothing else. Has no state of its own. */
interface Course {
  Next next(SweepPlan plan);

  /** Keys and values that make a run of this point. */
  Map<String, String> keys(Point point);

  /**
   * What is to be run.
   *
   * @param point now; empty if there is none left
   * @param left databases of the points that may follow, this one included, one for each; a guess
   */
  record Next(Optional<Point> point, List<String> left) {
    static final Next NONE = new Next(Optional.empty(), List.of());
  }

  /** The points that the plan has had from its beginning. */
  static Course series() {
    return new Course() {
      @Override
      public Next next(SweepPlan plan) {
        List<Point> pending =
            plan.points(PointState.PENDING).stream().map(PointRecord::point).toList();
        return new Next(
            pending.stream().findFirst(), pending.stream().map(Point::database).toList());
      }

      @Override
      public Map<String, String> keys(Point point) {
        return Map.of("terminals", Integer.toString(point.terminals()));
      }
    };
  }
}
