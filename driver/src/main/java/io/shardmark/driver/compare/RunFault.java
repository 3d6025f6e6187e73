package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.VerdictKind;
import io.shardmark.driver.results.reader.RunData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What makes a run one to be careful with.
 *
 * @param detail such as {@code 12 of 3,400}
 */
public record RunFault(FaultKind kind, String detail) {
  public enum FaultKind {
    ENDING(null, "Not to the end", "did not come to the end"),
    SERVER_LOST(VerdictKind.SERVER_LOST, "Server lost", "lost the server"),
    STALLED(VerdictKind.STALLED, "Stood still", "stood still for a while"),
    RATE_NOT_HELD(VerdictKind.RATE_NOT_HELD, "Rate not held", "did not hold the asked rate"),
    DRIVER_BOUND(
        VerdictKind.DRIVER_BOUND,
        "Driver the limit",
        "limited by the load generator, so the system can do more than is shown"),
    DRIVER_LATE(
        VerdictKind.DRIVER_LATE,
        "Driver late",
        "made slower by the load generator, so latencies are longer than the system's"),
    MACHINE_SATURATED(
        VerdictKind.MACHINE_SATURATED,
        "Machine saturated",
        "shared a full machine with the load generator"),
    SHARED_SERVER(
        VerdictKind.SHARED_SERVER, "Server shared with others", "shared the server with others"),
    LIMITED(
        VerdictKind.LIMITED,
        "Limited by a key",
        "limited by limitTxnsPerMin, so the system can do more than is shown"),
    NEVER_STEADY(VerdictKind.NEVER_STEADY, "Never steady", "were measured before they were steady"),
    TOO_SHORT(VerdictKind.TOO_SHORT, "Too short or too few", "too little to say much"),
    ERRORS(null, "Errors", "transactions failed"),
    LIMITS(null, "Response-time limits", "did not meet the limits of TPC-C 5.2.5.3"),
    AUDIT(null, "Input audit", "failed the input audit"),
    KEYS_MISSING(null, "Keys missing", "ran without keys that a build makes");

    /** Null if other figures than the verdict show it. */
    private final @Nullable VerdictKind verdict;

    private final String subject;
    private final String verb;

    FaultKind(@Nullable VerdictKind verdict, String subject, String verb) {
      this.verdict = verdict;
      this.subject = subject;
      this.verb = verb;
    }

    @JsonValue
    String jsonName() {
      return name().toLowerCase(Locale.ROOT);
    }

    public String subject() {
      return subject;
    }

    String verb() {
      return verb;
    }
  }

  static List<RunFault> of(RunData run) {
    List<RunFault> faults = new ArrayList<>();
    if (!run.cameToItsEnd()) {
      String ending = run.result().run().ending().jsonName();
      faults.add(new RunFault(FaultKind.ENDING, ending.isEmpty() ? "cut short" : ending));
    }
    for (Finding finding : run.result().findings()) {
      Arrays.stream(FaultKind.values())
          .filter(kind -> kind.verdict == finding.kind())
          .forEach(kind -> faults.add(new RunFault(kind, finding.cause())));
    }
    RunResult result = run.result();
    if (result.failedCount() > 0) {
      String detail =
          Texts.count(result.failedCount())
              + " of "
              + Texts.count(result.failedCount() + result.transactionCount());
      faults.add(new RunFault(FaultKind.ERRORS, detail));
    }
    add(
        faults,
        FaultKind.LIMITS,
        run.types().stream()
            .filter(type -> !type.limitMet().orElse(true))
            .filter(type -> Latency.known(type.figures()) != null)
            .map(type -> type.name() + " p90 " + LatencyFigure.P90.withUnit(type.figures()))
            .toList());
    add(faults, FaultKind.AUDIT, result.audited(AuditVerdict.FAIL));
    String keys = result.database().getOrDefault(SystemFacts.KEYS_MISSING, "");
    add(faults, FaultKind.KEYS_MISSING, keys.isEmpty() ? List.of() : List.of(keys));
    return faults;
  }

  private static void add(List<RunFault> faults, FaultKind kind, List<String> details) {
    if (!details.isEmpty()) {
      faults.add(new RunFault(kind, String.join(", ", details)));
    }
  }
}
