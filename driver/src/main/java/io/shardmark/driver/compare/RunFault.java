package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.VerdictKind;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.RunData.Origin;
import io.shardmark.driver.results.reader.TypeData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What makes a run one to be careful with.
 *
 * @param kind of it
 * @param detail such as {@code 12 of 3,400}
 */
public record RunFault(Kind kind, String detail) {
  /** Kinds, with the words that the comparison uses. */
  public enum Kind {
    ENDING("Not to the end", "did not come to its end", "did not come to their end"),
    SERVER_LOST("Server lost", "lost its server", "lost their server"),
    STALLED("Stood still", "stood still for a while"),
    RATE_NOT_HELD("Rate not held", "did not hold the asked rate"),
    DRIVER_BOUND(
        "Driver the limit",
        "was limited by the load generator, so the system can do more than is shown",
        "were limited by the load generator, so the system can do more than is shown"),
    MACHINE_SATURATED("Machine saturated", "shared a saturated machine with the load generator"),
    LIMITED(
        "Limited by a key",
        "was limited by limitTxnsPerMin, so the system can do more than is shown",
        "were limited by limitTxnsPerMin, so the system can do more than is shown"),
    TOO_SHORT("Too short or too few", "says little", "say little"),
    ERRORS("Errors", "had failed transactions"),
    LIMITS("Response-time limits", "did not meet the limits of TPC-C 5.2.5.3"),
    AUDIT("Input audit", "failed the input audit");

    private final String subject;
    private final String one;
    private final String many;

    Kind(String subject, String verb) {
      this(subject, verb, verb);
    }

    Kind(String subject, String one, String many) {
      this.subject = subject;
      this.one = one;
      this.many = many;
    }

    /** As files have it. */
    @JsonValue
    String jsonName() {
      return name().toLowerCase(Locale.ROOT);
    }

    public String subject() {
      return subject;
    }

    String verb(int runs) {
      return runs == 1 ? one : many;
    }
  }

  static List<RunFault> of(RunData run, Map<String, Latency> latencies) {
    List<RunFault> faults = new ArrayList<>();
    if (!isWhole(run)) {
      String ending = run.result().run().ending().jsonName();
      faults.add(new RunFault(Kind.ENDING, ending.isEmpty() ? "cut short" : ending));
    }
    for (Finding finding : run.verdict().map(RunVerdict::findings).orElse(List.of())) {
      kind(finding.kind()).ifPresent(kind -> faults.add(new RunFault(kind, finding.cause())));
    }
    RunResult result = run.result();
    if (result.failedCount() > 0) {
      String detail =
          Texts.count(result.failedCount())
              + " of "
              + Texts.count(result.failedCount() + result.transactionCount());
      faults.add(new RunFault(Kind.ERRORS, detail));
    }
    addBrokenLimits(run, latencies, faults);
    List<String> failed =
        run.result().audit().stream()
            .filter(row -> row.verdict() == AuditVerdict.FAIL)
            .map(AuditRow::description)
            .toList();
    if (!failed.isEmpty()) {
      faults.add(new RunFault(Kind.AUDIT, String.join(", ", failed)));
    }
    return faults;
  }

  /** Those verdicts that no other fault tells. */
  private static Optional<Kind> kind(VerdictKind verdict) {
    return switch (verdict) {
      case SERVER_LOST -> Optional.of(Kind.SERVER_LOST);
      case STALLED -> Optional.of(Kind.STALLED);
      case RATE_NOT_HELD -> Optional.of(Kind.RATE_NOT_HELD);
      case DRIVER_BOUND -> Optional.of(Kind.DRIVER_BOUND);
      case MACHINE_SATURATED -> Optional.of(Kind.MACHINE_SATURATED);
      case LIMITED -> Optional.of(Kind.LIMITED);
      case TOO_SHORT -> Optional.of(Kind.TOO_SHORT);
      case ABORTED, INCOMPLETE, ERRORS, CLEAN -> Optional.empty();
    };
  }

  private static boolean isWhole(RunData run) {
    String ending = run.result().run().ending().jsonName();
    if (!ending.isEmpty()) {
      return ending.equals("completed");
    }
    return run.origin() == Origin.BENCHMARKSQL
        && run.result().interval().seconds() >= run.plannedSeconds();
  }

  private static void addBrokenLimits(
      RunData run, Map<String, Latency> latencies, List<RunFault> faults) {
    List<String> broken = new ArrayList<>();
    for (TypeData type : run.types()) {
      Latency figures = latencies.get(type.name());
      double limit = type.result().limitMillis();
      if (figures != null && limit > 0 && !(figures.p90() < limit)) {
        broken.add(type.name() + " p90 " + Texts.latency(figures.p90()));
      }
    }
    if (!broken.isEmpty()) {
      faults.add(new RunFault(Kind.LIMITS, String.join(", ", broken)));
    }
  }
}
