package io.shardmark.driver.adversity;

import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.results.EventResult;
import io.shardmark.driver.results.EventWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What events did to a run, from its seconds. Pure. */
final class EventEffects {
  private EventEffects() {}

  /**
   * @param events in the order in which they began
   */
  static List<EventResult> of(List<EventRecord> events, RunSeconds run) {
    List<EventResult> results = new ArrayList<>();
    int free = 0;
    double usual = 0;
    for (int i = 0; i < events.size(); i++) {
      EventRecord event = events.get(i);
      int next = i + 1 < events.size() ? second(events.get(i + 1).fromSeconds(), run) : run.count();
      EventResult result = of(event, run, free, next);
      results.add(result);
      usual = result.before().seconds() > 0 ? result.before().perSecond() : usual;
      free = Math.max(free, end(event, run));
      free = Math.max(free, outageEnd(second(event.fromSeconds(), run), next, usual, run));
      Double back = result.backAfterSeconds();
      if (back != null) {
        free = Math.max(free, (int) Math.floor(event.fromSeconds() + back));
      }
    }
    return results;
  }

  /**
   * When the rate was last far below the usual one before the next event, whenever the command of
   * the event ended: seconds of an outage are not the rate before anything.
   */
  private static int outageEnd(int from, int next, double usual, RunSeconds run) {
    int width = Math.min(Limits.EVENT_MEAN_SECONDS, next - from);
    double least = Limits.EVENT_OUTAGE_SHARE * usual;
    List<Double> means = width <= 0 ? List.of() : run.means(from, next, width, Long.MAX_VALUE);
    int last = means.size() - 1;
    while (last >= 0 && means.get(last) >= least) {
      last--;
    }
    int end = last < 0 ? from : from + last + width;
    while (end > from && run.successes(end - 1) >= least) {
      end--;
    }
    return end;
  }

  private static int second(double seconds, RunSeconds run) {
    return Math.max(0, Math.min(run.count(), (int) Math.floor(seconds)));
  }

  private static int end(EventRecord event, RunSeconds run) {
    int least = second(event.fromSeconds(), run) + 1;
    return Math.min(run.count(), Math.max(least, (int) Math.ceil(event.toSeconds())));
  }

  /**
   * @param free first second that no earlier event disturbs
   * @param next when the next one begins
   */
  private static EventResult of(EventRecord event, RunSeconds run, int free, int next) {
    int from = second(event.fromSeconds(), run);
    int to = end(event, run);
    int horizon = Math.max(next, Math.min(from + 1, run.count()));
    int start = Math.min(from, Math.max(free, from - Limits.EVENT_SECONDS));
    EventWindow before = run.window(start, from);
    EventWindow after = run.window(to, Math.max(to, Math.min(horizon, to + Limits.EVENT_SECONDS)));
    Dip dip = dip(run, from, horizon, before, run.busy(start, from));
    boolean isCompared = before.perSecond() > 0;
    SecondTally affected = run.sum(from, Math.max(Math.min(to, horizon), dip.end()));
    return new EventResult(
        event.event().label(),
        event.event().command(),
        event.fromSeconds(),
        event.toSeconds() - event.fromSeconds(),
        event.outcome(),
        before,
        run.window(from, to),
        after,
        isCompared ? dip.percent() : null,
        isCompared ? (double) (dip.end() - dip.start()) : null,
        dip.back() && isCompared ? (double) (dip.end() - from) : null,
        affected.failed(),
        affected.lost(),
        affected.wrong());
  }

  /**
   * @param start first second of it
   * @param end first second after it
   * @param back whether the rate came back
   */
  private record Dip(double percent, int start, int end, boolean back) {}

  /**
   * Around the lowest mean after an event, as far as means are below what counts as recovered.
   *
   * @param busy successes of a busy second before it; more than that makes up for what was due and
   *     waited, and must not hide in a mean the seconds that it waited
   */
  private static Dip dip(RunSeconds run, int from, int horizon, EventWindow before, long busy) {
    int width = Math.min(Limits.EVENT_MEAN_SECONDS, horizon - from);
    double least = Limits.EVENT_BACK_SHARE * before.perSecond();
    List<Double> means = width == 0 ? List.of() : run.means(from, horizon, width, busy);
    int lowest = means.isEmpty() ? 0 : means.indexOf(Collections.min(means));
    if (means.isEmpty() || means.get(lowest) >= least) {
      return new Dip(0, from, from, true);
    }
    int start = lowest;
    while (start > 0 && means.get(start - 1) < least) {
      start--;
    }
    int end = lowest;
    while (end < means.size() && means.get(end) < least) {
      end++;
    }
    // A mean reaches so far ahead of its first second that it falls before the rate does.
    int first = from + start;
    while (first < from + lowest && run.successes(first) >= least) {
      first++;
    }
    boolean back = end < means.size();
    int last = back ? from + end : horizon;
    long fewest = Long.MAX_VALUE;
    for (int second = first; second < Math.max(last, from + lowest + width); second++) {
      fewest = Math.min(fewest, run.successes(second));
    }
    return new Dip(100 * (1 - fewest / before.perSecond()), first, last, back);
  }
}
