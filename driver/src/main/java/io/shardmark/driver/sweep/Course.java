package io.shardmark.driver.sweep;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which point comes next, from what the plan says and nothing else. Has no state of its own. */
interface Course {
  /** The point that is to be run now; empty if there is none left. */
  Optional<Point> next(SweepPlan plan);

  /** Keys and values that make a run of this point. */
  Map<String, String> keys(Point point);

  /** Databases of the points that may follow, one for each; a guess. */
  List<String> left(SweepPlan plan);

  /** The points that the plan has had from its beginning. */
  static Course series() {
    return new Course() {
      @Override
      public Optional<Point> next(SweepPlan plan) {
        return plan.points(PointState.PENDING).stream().findFirst().map(PointRecord::point);
      }

      @Override
      public Map<String, String> keys(Point point) {
        return Map.of("terminals", Integer.toString(point.terminals()));
      }

      @Override
      public List<String> left(SweepPlan plan) {
        return plan.points(PointState.PENDING).stream().map(one -> one.point().database()).toList();
      }
    };
  }
}
