package io.shardmark.driver.run;

import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.terminal.TerminalRun;
import java.util.concurrent.TimeUnit;

/** The main thread while terminals run: shows the status, and frames the observers' interval. */
record IntervalWatch(
    IntervalInForce interval,
    Collector collector,
    Observers observers,
    LiveView view,
    RunFaults faults) {
  private static final long STATUS_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Until the interval is over or all terminals are done; if the watching fails, the run ends with
   * what there is.
   */
  void toTheEnd(TerminalRun terminals) throws InterruptedException {
    try {
      watch(terminals);
    } catch (RuntimeException | Error e) {
      // Whatever broke into this thread may have interrupted it too; what there is must be kept.
      Thread.interrupted();
      faults.abort(Thread.currentThread().getName(), e);
      observers.endInterval();
    }
  }

  private void watch(TerminalRun terminals) throws InterruptedException {
    view.begin(collector.live());
    boolean begun = false;
    boolean ended = false;
    while (!ended) {
      long now = System.nanoTime();
      if (!begun && now - interval.interval().startNanos() >= 0) {
        observers.beginInterval();
        begun = true;
      }
      long next = begun ? interval.interval().endNanos() : interval.interval().startNanos();
      long wait = Math.min(next - now, STATUS_PERIOD_NANOS);
      ended = terminals.awaitAll(Math.max(wait, 1)) || interval.isOver(System.nanoTime());
      if (begun) {
        observers.look();
      }
      view.update(collector.live());
    }
    observers.endInterval();
    view.end(collector.live());
  }
}
