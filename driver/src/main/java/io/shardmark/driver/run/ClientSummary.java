package io.shardmark.driver.run;

import io.shardmark.driver.measure.ClientLoad;
import io.shardmark.driver.measure.LatencyKind;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.Scope;
import io.shardmark.driver.result.Environment;
import io.shardmark.driver.selfcheck.ClientFigures;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** Puts together what the driver itself cost, from those who watched it. */
final class ClientSummary {
  private static final double P99 = 99;

  private ClientSummary() {}

  static io.shardmark.driver.result.ClientFigures of(
      ClientFigures client,
      OptionalDouble machineBusyShare,
      RunStatistics statistics,
      Histogram lateness) {
    ClientLoad load =
        new ClientLoad(
            client.coresUsed(),
            Runtime.getRuntime().availableProcessors(),
            machineBusyShare,
            (double) client.gcPauseNanos() / Math.max(1, client.wallNanos()),
            statistics.rings().stalls(),
            lateness.getValueAtPercentile(P99),
            statistics.overall(LatencyKind.CONNECTION_WAIT, Scope.ALL).p99Nanos(),
            statistics.overall(LatencyKind.SERVICE, Scope.ALL).p50Nanos());
    return new io.shardmark.driver.result.ClientFigures(
        load,
        client.gcCount(),
        client.gcPauseNanos() / 1_000_000,
        statistics.rings().stalledNanos(),
        Environment.peakRssBytes());
  }
}
