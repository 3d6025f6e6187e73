package io.shardmark.driver.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.live.RunHistory.Merge;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HistoryTest {
  private final RunHistory history = new RunHistory(List.of(Merge.MEAN, Merge.HIGHEST));

  private void add(long from, long until) {
    for (long second = from; second < until; second++) {
      history.add(second, new double[] {second, second});
    }
  }

  @Test
  void tellsAReaderOnlyWhatIsNew() {
    add(-3, 2);
    RunHistory.HistoryPart all = history.since(0, 0);
    assertThat(all.firstSecond()).isEqualTo(-3);
    assertThat(all.width()).isOne();
    assertThat(all.from()).isZero();
    assertThat(all.columns().get(0)).containsExactly(-3, -2, -1, 0, 1);

    add(2, 4);
    RunHistory.HistoryPart news = history.since(1, 5);
    assertThat(news.from()).isEqualTo(5);
    assertThat(news.columns().get(0)).containsExactly(2, 3);
    assertThat(history.since(1, 7).columns().get(0)).isEmpty();
    assertThat(history.since(1, 700).from()).as("a reader of another run").isEqualTo(7);
  }

  @Test
  void pointsGetWiderInsteadOfMore() {
    add(0, RunHistory.MAX_POINTS);
    RunHistory.HistoryPart wider = history.since(1, RunHistory.MAX_POINTS - 1);

    assertThat(wider.width()).isEqualTo(2);
    assertThat(wider.from()).as("all of it, for the reader's points are no longer these").isZero();
    assertThat(wider.size()).isEqualTo(RunHistory.MAX_POINTS / 2);
    assertThat(wider.columns().get(0)).startsWith(0.5, 2.5, 4.5);
    assertThat(wider.columns().get(1)).startsWith(1, 3, 5);

    history.add(RunHistory.MAX_POINTS, new double[] {10, 10});
    assertThat(history.since(2, 0).size()).as("not whole yet").isEqualTo(300);
    history.add(RunHistory.MAX_POINTS + 1, new double[] {20, 4});
    RunHistory.HistoryPart last = history.since(2, 300);
    assertThat(last.columns().get(0)).containsExactly(15);
    assertThat(last.columns().get(1)).containsExactly(10);
  }

  /** A second in which nothing was done has no latency, and is not one of 0. */
  @Test
  void whatIsNotKnownStaysAGapAndSpoilsNoNeighbour() {
    double none = Double.NaN;
    history.add(0, new double[] {none, none});
    history.add(1, new double[] {4, none});
    history.add(2, new double[] {none, none});
    history.add(3, new double[] {none, 7});
    for (int second = 4; second < RunHistory.MAX_POINTS; second++) {
      history.add(second, new double[] {none, none});
    }

    RunHistory.HistoryPart all = history.since(0, 0);
    assertThat(all.width()).isEqualTo(2);
    assertThat(all.columns().get(0)).startsWith(4, none, none);
    assertThat(all.columns().get(1)).startsWith(none, 7, none);
    history.add(RunHistory.MAX_POINTS, new double[] {none, none});
    history.add(RunHistory.MAX_POINTS + 1, new double[] {6, 3});
    assertThat(last(0)).isEqualTo(6);
    assertThat(last(1)).isEqualTo(3);
  }

  /** A ramp-up of at most a minute was steady after four seconds. */
  @Test
  void aRampUpThatEndsEarlyKeepsItsPlaceBeforeTheInterval() {
    add(-60, -57);
    add(-1, 2);
    assertThat(history.since(0, 0).firstSecond()).isEqualTo(-4);
    assertThat(history.since(1, 6).firstSecond()).isEqualTo(-4);
  }

  @Test
  void secondsThatCameAsOneAreAGapAndMoveNoOther() {
    add(0, 2);
    history.skip(4, 3);
    add(5, 6);
    RunHistory.HistoryPart all = history.since(0, 0);
    assertThat(all.firstSecond()).isZero();
    assertThat(all.columns().get(0)).containsExactly(0, 1, Double.NaN, Double.NaN, Double.NaN, 5);
  }

  @Test
  void aDayIsNoMoreThanAnHour() {
    add(0, 86_400);
    RunHistory.HistoryPart day = history.since(0, 0);

    assertThat(day.size()).isLessThan(RunHistory.MAX_POINTS);
    assertThat(day.width()).isEqualTo(256);
    assertThat(day.columns().get(0)[0]).isEqualTo(127.5);
    assertThat(day.columns()).hasSize(2);
  }

  private double last(int column) {
    double[] points = history.since(0, 0).columns().get(column);
    return points[points.length - 1];
  }
}
