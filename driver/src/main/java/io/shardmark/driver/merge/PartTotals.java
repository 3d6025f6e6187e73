package io.shardmark.driver.merge;

import io.shardmark.driver.audit.AuditResult;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.result.ClientFigures;
import io.shardmark.driver.result.DriversSummary;
import io.shardmark.driver.result.Environment;
import io.shardmark.driver.result.RunSummary;
import io.shardmark.driver.result.ServerSide;
import java.util.List;
import java.util.Map;

/**
 * What one driver keeps of its run beside its files, so that it can be added to the others'.
 *
 * @param session which run it was
 * @param group what the parts of one run have in common
 * @param drivers how many parts there should be
 * @param driver which of them this is
 * @param seed of all drivers
 * @param seedDrawn true if no seed was given
 * @param isolation as the server named it
 * @param texts properties and facts
 * @param environment where it ran
 * @param machineId of the machine that it ran on; empty if not known
 * @param statistics counts and histograms; its interval begins at 0
 * @param audit judged inputs, with their counts
 * @param client what it used
 * @param deferredWork what became of deferred work
 * @param server what this driver saw of the server
 */
record PartTotals(
    RunSummary.Session session,
    String group,
    int drivers,
    DriversSummary.Driver driver,
    long seed,
    boolean seedDrawn,
    String isolation,
    Texts texts,
    Environment environment,
    String machineId,
    RunStatistics statistics,
    List<AuditResult> audit,
    ClientFigures client,
    RunSummary.DeferredWork deferredWork,
    ServerSide server,
    RunSummary.Trouble trouble) {

  /** Names and texts as {@code summary.json} has them. */
  record Texts(Map<String, String> properties, Map<String, String> facts) {}

  static PartTotals of(RunSummary summary, DriversSummary drivers, String machineId) {
    return new PartTotals(
        summary.session(),
        drivers.group(),
        drivers.count(),
        drivers.drivers().get(0),
        summary.config().seed(),
        summary.config().seedDrawn(),
        summary.isolation(),
        new Texts(summary.properties(), summary.facts()),
        summary.environment(),
        machineId,
        summary.statistics(),
        summary.audit(),
        summary.client(),
        summary.deferredWork(),
        summary.server(),
        summary.trouble());
  }

  List<String> typeNames() {
    return statistics.types().stream().map(type -> type.type().name()).toList();
  }

  List<String> auditRules() {
    return audit.stream().map(result -> result.rule().description()).toList();
  }

  int index() {
    return driver.index();
  }

  /** What the merged result tells of this driver. */
  DriversSummary.Figures figures() {
    return new DriversSummary.Figures(
        statistics.tpmC(RunStatistics.Counting.SUCCESSES),
        statistics.tpmTotal(RunStatistics.Counting.SUCCESSES),
        statistics.transactionCount(RunStatistics.Counting.SUCCESSES),
        statistics.errorCount(),
        client,
        environment.machine());
  }
}
