package io.shardmark.driver.run;

import io.shardmark.driver.measure.LatencyKind;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.Scope;
import io.shardmark.driver.result.Environment;
import io.shardmark.driver.selfcheck.ClientFigures;
import io.shardmark.driver.verdict.DriverLoad;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** Puts together what the driver itself cost, from those who watched it. */
final class ClientSummary {
  private static final double P99 = 99;

  private ClientSummary() {}

  /**
   * What the machine and the kernel said.
   *
   * @param process what this process used
   * @param machineBusyShare 0 .. 1; empty if not known
   * @param runnableDelayShare 0 .. 1; empty if not known
   * @param serverHere true if the server runs on this machine
   */
  record Seen(
      ClientFigures process,
      OptionalDouble machineBusyShare,
      OptionalDouble runnableDelayShare,
      boolean serverHere) {}

  /**
   * @param workers that executed transactions
   */
  static io.shardmark.driver.result.ClientFigures of(
      Seen seen, RunStatistics statistics, Histogram lateness, int workers) {
    ClientFigures client = seen.process();
    double workerNanos = Math.max(1.0, (double) client.wallNanos() * workers);
    DriverLoad load =
        new DriverLoad(
            client.coresUsed(),
            Runtime.getRuntime().availableProcessors(),
            seen.machineBusyShare(),
            seen.serverHere(),
            seen.runnableDelayShare(),
            (double) client.gcPauseNanos() / Math.max(1, client.wallNanos()),
            statistics.rings().stalls(),
            statistics.rings().stalledNanos() / workerNanos,
            new DriverLoad.Lateness(
                lateness.getValueAtPercentile(P99),
                lateness.getTotalCount(),
                statistics.overall(LatencyKind.SERVICE, Scope.ALL).p50Nanos()));
    return new io.shardmark.driver.result.ClientFigures(
        load,
        statistics.overall(LatencyKind.CONNECTION_WAIT, Scope.ALL).p99Nanos(),
        client.gcCount(),
        client.gcPauseNanos() / 1_000_000,
        statistics.rings().stalledNanos(),
        Environment.peakRssBytes());
  }
}
