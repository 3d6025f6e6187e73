package io.shardmark.driver.audit;

import io.shardmark.driver.benchmark.AuditRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The audit as a text table: clause, what, value, bounds, verdict. */
public final class AuditTable {
  private AuditTable() {}

  /**
   * One line for each rule under one heading; no line ends in blanks. Empty if there is no rule.
   */
  public static List<String> lines(List<AuditResult> results) {
    if (results.isEmpty()) {
      return List.of();
    }
    int what = "input".length();
    for (AuditResult result : results) {
      what = Math.max(what, result.rule().description().length());
    }
    String format = "%-12s %-" + what + "s %10s  %-18s %s";
    List<String> lines = new ArrayList<>();
    lines.add(format.formatted("clause", "input", "value", "bounds", "verdict"));
    for (AuditResult result : results) {
      lines.add(
          format.formatted(
              result.rule().clause(),
              result.rule().description(),
              result.value().isPresent() ? number(result, result.value().getAsDouble()) : "-",
              bounds(result.rule()),
              result.verdict().text()
                  + (result.reason().isEmpty() ? "" : " (" + result.reason() + ")")));
    }
    return lines;
  }

  private static String number(AuditResult result, double value) {
    return String.format(Locale.ROOT, "%.3f", value) + unit(result.rule());
  }

  private static String bounds(AuditRule rule) {
    return String.format(Locale.ROOT, "%.2f .. %.2f", rule.low(), rule.high()) + unit(rule);
  }

  private static String unit(AuditRule rule) {
    return switch (rule.unit()) {
      case PERCENT -> " %";
      case AVERAGE -> "";
    };
  }
}
