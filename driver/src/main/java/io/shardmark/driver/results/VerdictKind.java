package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** What can be said of a run, the most serious first. */
public enum VerdictKind {
  /** A fault of the driver ended the run, or no terminal could go on. */
  ABORTED("aborted", "aborted", VerdictGrade.FAIL),
  /** The system under test broke a consistency condition. */
  INCONSISTENT("inconsistent", "inconsistent", VerdictGrade.FAIL),
  /** Results of some of its drivers are missing. */
  INCOMPLETE("incomplete", "incomplete", VerdictGrade.FAIL),
  /** Connections were lost and for a while no transaction succeeded. */
  SERVER_LOST("server-lost", "server lost", VerdictGrade.FAIL),
  /** Too many transactions failed, or all of one type. */
  ERRORS("errors", "transactions failed", VerdictGrade.FAIL),
  /** For a while no transaction succeeded, and nobody said why. */
  STALLED("stalled", "stood still", VerdictGrade.FAIL),
  /** The system did not hold the asked rate of an open loop. */
  RATE_NOT_HELD("rate-not-held", "rate not held", VerdictGrade.FAIL),
  /** The driver limited the result: it is a lower bound of what the system can do. */
  DRIVER_BOUND("driver-bound", "driver-bound", VerdictGrade.FAIL),
  /** The asked rate was held, but the driver lengthened latencies. */
  DRIVER_LATE("driver-late", "driver late", VerdictGrade.WARN),
  /** The driver shares a machine, and that had no processor left. */
  MACHINE_SATURATED("machine-saturated", "shared machine saturated", VerdictGrade.WARN),
  /** Others worked on the server too. */
  SHARED_SERVER("shared-server", "server shared with others", VerdictGrade.WARN),
  /** A key limited the rate. */
  LIMITED("limited", "limited by limitTxnsPerMin", VerdictGrade.WARN),
  /** A ramp-up that was to end when the throughput was steady took as long as it could. */
  NEVER_STEADY("never-steady", "never steady", VerdictGrade.WARN),
  /** The figures are chance's as much as the system's. */
  TOO_SHORT("too-short", "too short or too few to say", VerdictGrade.WARN),
  /** Nothing of the above. */
  CLEAN("clean", "clean", VerdictGrade.PASS);

  /** How good that is. */
  public enum VerdictGrade {
    PASS,
    /** The figures are right, but may not be what one thinks they are. */
    WARN,
    FAIL
  }

  private final String key;
  private final String text;
  private final VerdictGrade grade;

  VerdictKind(String key, String text, VerdictGrade grade) {
    this.key = key;
    this.text = text;
    this.grade = grade;
  }

  /** Its name in files and in the key {@code failOn}. */
  @JsonValue
  public String key() {
    return key;
  }

  /** Its name for people. */
  public String text() {
    return text;
  }

  public VerdictGrade grade() {
    return grade;
  }

  /** The kind of this key; empty if there is none. */
  public static Optional<VerdictKind> of(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key.equals(key)).findFirst();
  }
}
