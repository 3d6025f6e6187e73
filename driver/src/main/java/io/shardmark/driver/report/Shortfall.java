package io.shardmark.driver.report;

import java.util.List;

/** Says what of a file could not be read. */
final class Shortfall {
  private Shortfall() {}

  static void note(CsvRows csv, String name, List<String> missing) {
    if (csv.unreadable() > 0) {
      missing.add(
          "%s: %,d %s no %s of numbers and left out."
              .formatted(
                  name,
                  csv.unreadable(),
                  csv.unreadable() == 1 ? "line is" : "lines are",
                  csv.unreadable() == 1 ? "row" : "rows"));
    }
    if (csv.isCut()) {
      missing.add(name + " ends in the middle of a line; the rest of that line was left out.");
    }
  }
}
