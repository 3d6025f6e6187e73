package io.shardmark.driver.results;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction took of the processors, in microseconds: the time of all processes in the
 * measurement interval, divided by the transactions that succeeded in it.
 *
 * @param parts by who used it: the driver, then each role of the database's processes of which all
 *     are known
 * @param all of all of them; null if one is not known
 */
public record ProcessorCost(Map<String, Double> parts, @Nullable Double all) {
  /** The part that is not the database's. */
  public static final String DRIVER = "driver";

  private static final double MICROS = 1e6;

  /** Empty if there is nothing to divide, or no process of the database is known. */
  public static Optional<ProcessorCost> of(RunResult run) {
    Client client = run.client();
    if (client == null
        || run.transactionCount() == 0
        || run.serverProcesses().stream().allMatch(one -> one.processorSeconds() == null)) {
      return Optional.empty();
    }
    Map<String, Double> seconds = new LinkedHashMap<>();
    seconds.put(DRIVER, driverSeconds(run, client));
    for (ServerProcess process : run.serverProcesses()) {
      Double used = process.processorSeconds();
      seconds.merge(process.role(), used == null ? Double.NaN : used, Double::sum);
    }
    double sum = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    seconds.values().removeIf(value -> value.isNaN());
    seconds.replaceAll((who, value) -> micros(run, value));
    return Optional.of(new ProcessorCost(seconds, Double.isNaN(sum) ? null : micros(run, sum)));
  }

  /** Processor time of all processes of the database; empty if it is not known of one. */
  public static Optional<Double> serverSeconds(RunResult run) {
    double sum =
        run.serverProcesses().stream()
            .map(ServerProcess::processorSeconds)
            .mapToDouble(used -> used == null ? Double.NaN : used)
            .sum();
    return run.serverProcesses().isEmpty() || Double.isNaN(sum)
        ? Optional.empty()
        : Optional.of(sum);
  }

  /** Processor time of the driver in the measurement interval. */
  public static double driverSeconds(RunResult run, Client client) {
    return client.coresUsed() * run.interval().seconds();
  }

  /** So many seconds by transaction; NaN without one. */
  public static double micros(RunResult run, double seconds) {
    return run.transactionCount() == 0 ? Double.NaN : MICROS * seconds / run.transactionCount();
  }
}
