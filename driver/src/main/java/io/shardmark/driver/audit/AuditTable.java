package io.shardmark.driver.audit;

import io.shardmark.driver.results.AuditRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The audit as a text table: clause, what, value, bounds, verdict. */
public final class AuditTable {
  private AuditTable() {}

  /**
   * One line for each rule under one heading; no line ends in blanks. Empty if there is no rule.
   */
  public static List<String> lines(List<AuditRow> results) {
    if (results.isEmpty()) {
      return List.of();
    }
    int what = "input".length();
    for (AuditRow result : results) {
      what = Math.max(what, result.description().length());
    }
    String format = "%-12s %-" + what + "s %10s  %-18s %s";
    List<String> lines = new ArrayList<>();
    lines.add(format.formatted("clause", "input", "value", "bounds", "verdict"));
    for (AuditRow result : results) {
      lines.add(
          format.formatted(
              result.clause(),
              result.description(),
              result.value() == null ? "-" : number(result, result.value()),
              bounds(result),
              result.verdict().text()
                  + (result.reason().isEmpty() ? "" : " (" + result.reason() + ")")));
    }
    return lines;
  }

  private static String number(AuditRow result, double value) {
    return String.format(Locale.ROOT, "%.3f", value) + unit(result);
  }

  private static String bounds(AuditRow rule) {
    return String.format(Locale.ROOT, "%.2f .. %.2f", rule.low(), rule.high()) + unit(rule);
  }

  private static String unit(AuditRow row) {
    return row.inPercent() ? " %" : "";
  }
}
