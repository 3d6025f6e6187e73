package io.shardmark.driver.run;

import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.result.Environment;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.selfcheck.ClientReading;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

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
      ClientReading process,
      OptionalDouble machineBusyShare,
      OptionalDouble runnableDelayShare,
      boolean serverHere) {}

  /**
   * @param workers that executed transactions
   */
  static Client of(Seen seen, RunStatistics statistics, Histogram lateness, int workers) {
    ClientReading client = seen.process();
    double workerNanos = Math.max(1.0, (double) client.wallNanos() * workers);
    return new Client(
        client.coresUsed(),
        Runtime.getRuntime().availableProcessors(),
        nullable(seen.machineBusyShare()),
        nullable(seen.runnableDelayShare()),
        seen.serverHere(),
        (double) client.gcPauseNanos() / Math.max(1, client.wallNanos()),
        client.gcCount(),
        client.gcPauseNanos() / 1_000_000,
        statistics.rings().stalls(),
        Latency.millis(statistics.rings().stalledNanos()),
        statistics.rings().stalledNanos() / workerNanos,
        Latency.millis(lateness.getValueAtPercentile(P99)),
        lateness.getTotalCount(),
        statistics.overall(LatencyKind.SERVICE, Scope.ALL).p50(),
        statistics.overall(LatencyKind.CONNECTION_WAIT, Scope.ALL).p99(),
        Environment.peakRssBytes());
  }

  private static @Nullable Double nullable(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
