package io.shardmark.driver.judge;

import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.List;

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
    int what = results.stream().mapToInt(row -> row.description().length()).max().orElse(0);
    String format = "%-12s %-" + Math.max(what, "input".length()) + "s %10s  %-18s %s";
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
    return Texts.text("%.3f", value) + unit(result);
  }

  private static String bounds(AuditRow rule) {
    return Texts.text("%.2f .. %.2f", rule.low(), rule.high()) + unit(rule);
  }

  private static String unit(AuditRow row) {
    return row.inPercent() ? " %" : "";
  }
}
