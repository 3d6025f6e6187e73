package io.shardmark.driver.result;

import io.shardmark.config.PacingConfig;
import io.shardmark.driver.bottleneck.BottleneckJudge;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.StageFigures;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.Fault;
import io.shardmark.driver.results.QuietTime;
import io.shardmark.driver.verdict.VerdictInput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Of all that is known about a run, what its verdict is computed from. */
final class VerdictFigures {
  private VerdictFigures() {}

  static VerdictInput of(RunSummary summary) {
    QuietTime quiet = summary.statistics().quiet();
    PacingConfig pacing = summary.config().pacing();
    return new VerdictInput(
        ended(summary.session().ending()),
        detail(summary),
        summary.statistics().interval().lengthNanos() / 1e9,
        summary.statistics().types().stream()
            .map(
                type ->
                    new VerdictInput.TypeCount(
                        type.type().name(), type.type().counted(), type.successes(), type.errors()))
            .toList(),
        failures(summary.statistics().types()),
        new VerdictInput.Quiet(quiet.seconds(), quiet.fromSecond(), quiet.toTheEnd()),
        new VerdictInput.Pace(
            summary.statistics().load().askedPerMinute(),
            pacing.limitTxnsPerMin(),
            summary.config().transactionsPerTerminal() > 0,
            summary.config().connections(),
            summary.config().retries(),
            summary.statistics().load().backlogGrowth(),
            stages(summary.statistics().stages())),
        loads(summary));
  }

  private static List<VerdictInput.StagePace> stages(List<StageFigures> stages) {
    List<VerdictInput.StagePace> paces = new ArrayList<>();
    for (StageFigures stage : stages) {
      paces.add(
          new VerdictInput.StagePace(
              "stage %d (%s)".formatted(paces.size() + 1, stage.stage()),
              stage.lengthNanos() == 0 ? 0 : stage.load().askedPerMinute(),
              stage.donePerMinute(),
              stage.load().backlogGrowth()));
    }
    return paces;
  }

  /** And its bottleneck. */
  static BottleneckJudge.Input bottleneck(RunSummary summary) {
    return new BottleneckJudge.Input(
        summary.verdict(),
        summary.statistics().interval().lengthNanos() / 1e9,
        summary.statistics().transactionCount(RunStatistics.Counting.SUCCESSES),
        summary.statistics().load().askedPerMinute() > 0,
        loads(summary),
        summary.server().waits(),
        summary.server().machine(),
        summary.server().figures());
  }

  private static VerdictInput.Ended ended(Ending ending) {
    return switch (ending) {
      case COMPLETED -> VerdictInput.Ended.AS_PLANNED;
      case INTERRUPTED -> VerdictInput.Ended.BY_SIGNAL;
      case INCOMPLETE -> VerdictInput.Ended.INCOMPLETE;
      case ABORTED, UNKNOWN -> VerdictInput.Ended.ABORTED;
    };
  }

  private static String detail(RunSummary summary) {
    List<Fault> faults = summary.trouble().faults();
    if (!faults.isEmpty()) {
      return "%s in thread %s".formatted(faults.get(0).cause(), faults.get(0).thread());
    }
    List<Drivers.Lost> lost = summary.drivers().map(Drivers::lost).orElse(List.of());
    return String.join(
        ", ",
        lost.stream().map(one -> "driver %d: %s".formatted(one.index(), one.reason())).toList());
  }

  private static Map<String, Long> failures(List<TypeStatistics> types) {
    Map<Disposition, Long> counts = new LinkedHashMap<>();
    for (TypeStatistics type : types) {
      for (Disposition disposition : Disposition.values()) {
        if (disposition.isError() && type.count(disposition) > 0) {
          counts.merge(disposition, type.count(disposition), Long::sum);
        }
      }
    }
    Map<String, Long> ordered = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .forEach(entry -> ordered.put(entry.getKey().name(), entry.getValue()));
    return ordered;
  }

  private static Map<String, Client> loads(RunSummary summary) {
    Map<String, Client> loads = new LinkedHashMap<>();
    for (Drivers.Part driver : summary.drivers().map(Drivers::list).orElse(List.of())) {
      if (driver.client() != null) {
        loads.put("driver " + driver.index(), driver.client());
      }
    }
    if (loads.isEmpty()) {
      loads.put("the driver", summary.client());
    }
    return loads;
  }
}
