package io.shardmark.driver.judge;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.ThresholdResult;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.VerdictKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the key {@code failOn}: conditions with commas between them, each {@code [TYPE.]quantity},
 * a comparison and a bound, as {@code errors>1%}, {@code PAYMENT.p99>500ms}, {@code tps<500},
 * {@code verdict!=clean}, {@code audit!=pass}, {@code limits!=met}. Blanks between the parts do not
 * matter.
 */
public final class Thresholds {
  /** What a run without the key is measured by. */
  public static final String DEFAULT =
      "errors>%s%%, outageAtEnd>=%ds"
          .formatted(Texts.number(100 * Limits.MOST_FAILED_SHARE), Limits.SHORTEST_QUIET_SECONDS);

  private static final Pattern CONDITION =
      Pattern.compile(
          "(?:([\\p{L}\\d_&&[^\\p{Ll}]]+)\\.)?([A-Za-z0-9.]+)\\s*(>=|<=|!=|>|<|=)\\s*(\\S.*)");
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)\\s*(%|ms|s)?");
  private static final String NOTHING = "none";

  /** Digits of a measured figure; more where it would read like its bound otherwise. */
  private static final int DIGITS = 3;

  private static final int MOST_DIGITS = 12;

  private final List<String> types;
  private final List<String> metrics;

  private Thresholds(List<String> types, List<String> metrics) {
    this.types = types;
    this.metrics = metrics;
  }

  /** In what a bound is given and a measured value is shown. */
  private enum ThresholdUnit {
    /** 0 .. 100. */
    PERCENT("a percentage such as 1%", "%"),
    /** A plain number, in the metric's unit. */
    PLAIN("a number such as 30000", ""),
    MILLIS("a time such as 500ms or 2s", "ms|s");

    private final String expected;

    /** As a regular expression. */
    private final String suffixes;

    ThresholdUnit(String expected, String suffixes) {
      this.expected = expected;
      this.suffixes = suffixes;
    }

    private String shown(double measured, double bound) {
      String number = Texts.apart(measured, bound, DIGITS, MOST_DIGITS);
      return switch (this) {
        case PERCENT -> number + " %";
        case PLAIN -> number;
        case MILLIS -> number + " ms";
      };
    }
  }

  /** Where a number comes from; empty if there is nothing to measure. */
  private record Quantity(
      ThresholdUnit unit, BiFunction<RunResult, RunVerdict, OptionalDouble> source) {}

  /**
   * Reads the value of the key.
   *
   * @param types of transactions that the workload has
   * @param metrics of the workload, by name
   * @return none if the value is {@code none}
   * @throws ConfigException which says what part of it cannot be understood
   */
  public static List<Threshold> parse(String value, List<String> types, List<String> metrics) {
    if (value.strip().equals(NOTHING)) {
      return List.of();
    }
    Thresholds reader = new Thresholds(types, metrics);
    List<Threshold> thresholds = new ArrayList<>();
    for (String condition : value.split(",", -1)) {
      thresholds.add(reader.condition(condition.strip()));
    }
    return List.copyOf(thresholds);
  }

  private static ConfigException bad(String condition, String expected) {
    return new ConfigException("failOn='%s': expected %s".formatted(condition, expected));
  }

  private Threshold condition(String text) {
    Matcher parts = CONDITION.matcher(text);
    if (!parts.matches()) {
      throw bad(
          text, "a condition such as errors>1%% or %s.p99>500ms, or none".formatted(types.get(0)));
    }
    String type = parts.group(1) == null ? "" : parts.group(1);
    if (!type.isEmpty() && !types.contains(type)) {
      throw bad(text, "a transaction type before the dot, one of " + String.join(", ", types));
    }
    String name = parts.group(2);
    String sign = parts.group(3);
    String bound = parts.group(4);
    Map<String, Quantity> quantities = quantities(type);
    Quantity quantity = quantities.get(name);
    if (quantity != null) {
      return number(text, name, quantity, sign, bound);
    }
    Map<String, Judgement> judgements = type.isEmpty() ? judgements() : Map.of();
    Judgement judgement = judgements.get(name);
    if (judgement != null) {
      return judged(text, name, judgement, sign, bound);
    }
    List<String> names = new ArrayList<>(quantities.keySet());
    names.addAll(judgements.keySet());
    throw bad(
        text, (type.isEmpty() ? "" : "after the dot ") + "one of " + String.join(", ", names));
  }

  /**
   * All that have a number, in the order of the docs.
   *
   * @param type of transactions that it is about; empty for all counted ones
   */
  private Map<String, Quantity> quantities(String type) {
    Map<String, Quantity> quantities = new LinkedHashMap<>();
    quantities.put(
        "errors", new Quantity(ThresholdUnit.PERCENT, (run, worth) -> errors(run, type)));
    if (type.isEmpty()) {
      for (String metric : metrics) {
        quantities.put(
            metric,
            new Quantity(
                ThresholdUnit.PLAIN,
                (run, worth) ->
                    run.metric(metric).stream().mapToDouble(Metric::value).findFirst()));
      }
    }
    for (LatencyFigure figure : LatencyFigure.values()) {
      quantities.put(
          figure.text(),
          new Quantity(ThresholdUnit.MILLIS, (run, worth) -> latency(run, type, figure)));
    }
    if (type.isEmpty()) {
      quantities.put(
          "outageAtEnd",
          new Quantity(
              ThresholdUnit.MILLIS,
              (run, worth) -> OptionalDouble.of(1000.0 * QuietJudge.outageAtEndSeconds(run))));
    }
    return quantities;
  }

  /** Of those that ended, in percent: of one type, or of all with their deferred parts. */
  private static OptionalDouble errors(RunResult run, String subject) {
    long errors = 0;
    long all = 0;
    for (TypeResult type : run.types()) {
      if (subject.isEmpty() || type.name().equals(subject)) {
        errors += type.errors();
        all += type.count();
      }
    }
    return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(100.0 * errors / all);
  }

  /** From due to done, of successes. */
  private static OptionalDouble latency(RunResult run, String subject, LatencyFigure figure) {
    Latencies latencies =
        subject.isEmpty()
            ? run.latencyMillis()
            : run.types().stream()
                .filter(type -> type.name().equals(subject))
                .findFirst()
                .map(TypeResult::latencyMillis)
                .orElseThrow(
                    () -> new IllegalStateException("a type of another workload: " + subject));
    return latencies.of(Scope.ALL, LatencyKind.DUE).stream()
        .filter(latency -> latency.count() > 0)
        .mapToDouble(figure::of)
        .findFirst();
  }

  private static Threshold number(
      String text, String name, Quantity quantity, String sign, String boundText) {
    if (sign.equals("=") || sign.equals("!=")) {
      throw bad(text, "one of > >= < <= for " + name);
    }
    ThresholdUnit unit = quantity.unit();
    Matcher parts = NUMBER.matcher(boundText);
    String suffix = parts.matches() && parts.group(2) != null ? parts.group(2) : "";
    if (!parts.matches() || !suffix.matches(unit.suffixes)) {
      throw bad(text, unit.expected + " for " + name);
    }
    double bound = Double.parseDouble(parts.group(1)) * (suffix.equals("s") ? 1000 : 1);
    return (run, worth) -> {
      OptionalDouble measured = quantity.source().apply(run, worth);
      return measured.isEmpty()
          ? new ThresholdResult(text, "nothing to measure", true)
          : new ThresholdResult(
              text,
              unit.shown(measured.getAsDouble(), bound),
              holds(Double.compare(measured.getAsDouble(), bound), sign));
    };
  }

  private static boolean holds(int compared, String sign) {
    return switch (sign) {
      case ">" -> compared > 0;
      case ">=" -> compared >= 0;
      case "<" -> compared < 0;
      case "<=" -> compared <= 0;
      default -> throw new IllegalStateException("a sign that the pattern has not: " + sign);
    };
  }

  /** What was judged already: its words, and which of them a run got. */
  private record Judgement(List<String> words, BiFunction<RunResult, RunVerdict, String> source) {}

  private static Map<String, Judgement> judgements() {
    Map<String, Judgement> judgements = new LinkedHashMap<>();
    judgements.put(
        "verdict",
        new Judgement(
            Arrays.stream(VerdictKind.values()).map(VerdictKind::key).toList(),
            (run, worth) -> worth.kind().key()));
    judgements.put(
        "audit",
        new Judgement(
            Arrays.stream(AuditVerdict.values()).map(AuditVerdict::key).toList(),
            (run, worth) -> InputAudit.overall(run.audit()).key()));
    judgements.put(
        "acid",
        new Judgement(
            Arrays.stream(AcidVerdict.values()).map(AcidVerdict::key).toList(),
            (run, worth) -> AcidVerdict.worst(run.acid()).key()));
    judgements.put(
        "limits",
        new Judgement(
            List.of("met", "missed", "not-judged"),
            (run, worth) -> {
              Boolean met = run.limitsMet();
              return met == null ? "not-judged" : met ? "met" : "missed";
            }));
    return judgements;
  }

  private static Threshold judged(
      String text, String name, Judgement judgement, String sign, String wanted) {
    if (!sign.equals("=") && !sign.equals("!=")) {
      throw bad(text, "= or != for " + name);
    }
    if (!judgement.words().contains(wanted)) {
      throw bad(text, "one of " + String.join(", ", judgement.words()));
    }
    return (run, worth) -> {
      String found = judgement.source().apply(run, worth);
      return new ThresholdResult(text, found, found.equals(wanted) == sign.equals("="));
    };
  }
}
