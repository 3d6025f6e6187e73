package io.shardmark.driver.sweep;

import io.shardmark.driver.judge.Limits;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a search found on one database.
 *
 * @param remark on the ending; may be empty
 * @param value of what the search varies; 0 if nothing was found
 * @param path every run in its order
 * @param hold the run at a share of the maximum; null without
 */
record SearchResult(
    String database,
    SearchEnding ending,
    String remark,
    int value,
    Throughput throughput,
    List<SearchStep> path,
    @Nullable Hold hold) {
  SearchResult {
    path = List.copyOf(path);
  }

  enum SearchEnding {
    FOUND,
    NONE_HOLDS,
    FAILED,
    UNFINISHED
  }

  /**
   * Means over runs.
   *
   * @param metrics of the benchmark by name, the main one first
   * @param perMinute successes of all types
   */
  record Throughput(Map<String, Double> metrics, double perMinute, int runs) {}

  /**
   * One run of the search.
   *
   * @param value of what the search varies
   * @param why it did not; empty if it did
   * @param directory of its results; that of a run that failed was set aside
   * @param figures null if the run failed
   */
  record SearchStep(
      int value,
      int repetition,
      boolean holds,
      String why,
      String directory,
      @Nullable PointFigures figures) {
    static SearchStep of(int value, PointRecord record) {
      String why = record.why();
      PointFigures figures = record.figures();
      if (why.isEmpty() && figures != null) {
        why = figures.limitFault();
      }
      return new SearchStep(
          value, record.point().repetition(), why.isEmpty(), why, record.directory(), figures);
    }

    /** The main metric; 0 of a run that failed. */
    double peak() {
      return figures == null ? 0 : figures.main();
    }
  }

  /**
   * A share of the maximum, held by transactions that are due on a schedule.
   *
   * @param openLoopTxnsPerMin the rate that was asked for
   * @param scale of the run; 0 if the search was not for them
   * @param held whether the system did it, to two percent
   * @param limitFault why it did not hold the limits; empty if it did
   * @param figures null if the run failed
   */
  record Hold(
      int percent,
      int openLoopTxnsPerMin,
      int terminals,
      int scale,
      boolean held,
      String limitFault,
      String directory,
      @Nullable PointFigures figures) {
    /** As a run of a search for this goal. */
    SearchStep step(SearchGoal goal) {
      int value = goal.isOfScale() ? scale : terminals;
      return new SearchStep(value, 1, limitFault.isEmpty(), limitFault, directory, figures);
    }

    static Hold of(int percent, PointRecord record) {
      PointFigures figures = record.figures();
      Point point = record.point();
      return new Hold(
          percent,
          point.openLoopTxnsPerMin(),
          point.terminals(),
          point.scale(),
          figures != null
              && figures.perMinute() >= Limits.HELD_RATE_SHARE * point.openLoopTxnsPerMin(),
          figures == null ? "the run failed" : figures.limitFault(),
          record.directory(),
          figures);
    }
  }
}
