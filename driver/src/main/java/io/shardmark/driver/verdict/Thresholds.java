package io.shardmark.driver.verdict;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.VerdictKind;
import io.shardmark.driver.verdict.Threshold.Comparison;
import io.shardmark.driver.verdict.Threshold.Quantity;
import io.shardmark.driver.verdict.Threshold.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the key {@code failOn}: conditions with commas between them, each {@code [TYPE.]quantity},
 * a comparison and a bound, as {@code errors>1%}, {@code PAYMENT.p99>500ms}, {@code tps<500},
 * {@code verdict!=clean}. Blanks between the parts do not matter.
 */
public final class Thresholds {
  /** What a run without the key is measured by. */
  public static final String DEFAULT = "errors>1%, outageAtEnd>=2s";

  private static final Pattern CONDITION =
      Pattern.compile("(?:([A-Z][A-Z_]*)\\.)?([A-Za-z0-9.]+)\\s*(>=|<=|!=|>|<|=)\\s*(\\S.*)");
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)\\s*(%|ms|s)?");
  private static final String NOTHING = "none";

  private final List<String> types;
  private final List<String> metrics;

  private Thresholds(List<String> types, List<String> metrics) {
    this.types = types;
    this.metrics = metrics;
  }

  /**
   * Reads the value of the key.
   *
   * @param metrics names of the workload's metrics
   * @param types names of the workload's transaction types
   * @return none if the value is {@code none}
   * @throws ConfigException if it cannot be understood: one line that says which part and what it
   *     should be
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
    return new ConfigException("failOn: '%s': expected %s".formatted(condition, expected));
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
    Quantity quantity = quantity(text, type, parts.group(2));
    String subject = quantity == Quantity.METRIC ? parts.group(2) : type;
    Comparison comparison = comparison(parts.group(3));
    if (quantity == Quantity.VERDICT) {
      return new Threshold(
          text,
          subject,
          quantity,
          comparison,
          0,
          Optional.of(verdict(text, comparison, parts.group(4))));
    }
    if (comparison == Comparison.IS || comparison == Comparison.IS_NOT) {
      throw bad(text, "one of > >= < <= for " + parts.group(2));
    }
    return new Threshold(
        text,
        subject,
        quantity,
        comparison,
        bound(text, quantity, parts.group(2), parts.group(4)),
        Optional.empty());
  }

  private Quantity quantity(String text, String type, String name) {
    if (type.isEmpty() && metrics.contains(name)) {
      return Quantity.METRIC;
    }
    List<Quantity> possible =
        Arrays.stream(Quantity.values())
            .filter(one -> one != Quantity.METRIC && (type.isEmpty() || one.isByType()))
            .toList();
    return possible.stream()
        .filter(one -> one.key().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                bad(
                    text,
                    (type.isEmpty() ? "" : "after the dot ") + "one of " + names(type, possible)));
  }

  /** In the order of the docs: errors, the metrics, the others. */
  private String names(String type, List<Quantity> possible) {
    List<String> names = new ArrayList<>(possible.stream().map(Quantity::key).toList());
    if (type.isEmpty()) {
      names.addAll(1, metrics);
    }
    return String.join(", ", names);
  }

  private static Comparison comparison(String sign) {
    return Arrays.stream(Comparison.values())
        .filter(one -> one.sign().equals(sign))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a sign that the pattern has: " + sign));
  }

  private static VerdictKind verdict(String text, Comparison comparison, String key) {
    if (comparison != Comparison.IS && comparison != Comparison.IS_NOT) {
      throw bad(text, "= or != for verdict");
    }
    return VerdictKind.of(key)
        .orElseThrow(
            () ->
                bad(
                    text,
                    "one of "
                        + Arrays.stream(VerdictKind.values())
                            .map(VerdictKind::key)
                            .collect(Collectors.joining(", "))));
  }

  private static double bound(String text, Quantity quantity, String name, String bound) {
    Matcher parts = NUMBER.matcher(bound);
    String unit = parts.matches() && parts.group(2) != null ? parts.group(2) : "";
    boolean right =
        parts.matches()
            && switch (quantity.unit()) {
              case PERCENT -> unit.equals("%");
              case PLAIN -> unit.isEmpty();
              case MILLIS -> unit.equals("ms") || unit.equals("s");
              case VERDICT -> false;
            };
    if (!right) {
      throw bad(text, expectedBound(quantity.unit()) + " for " + name);
    }
    return Double.parseDouble(parts.group(1)) * (unit.equals("s") ? 1000 : 1);
  }

  private static String expectedBound(Unit unit) {
    return switch (unit) {
      case PERCENT -> "a percentage such as 1%";
      case PLAIN -> "a number such as 30000";
      case MILLIS -> "a time such as 500ms or 2s";
      case VERDICT -> "a verdict";
    };
  }
}
