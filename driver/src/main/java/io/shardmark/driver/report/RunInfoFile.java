package io.shardmark.driver.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code data/runInfo.csv}: one row. */
record RunInfoFile(Map<String, String> values) {
  static final RunInfoFile NONE = new RunInfoFile(Map.of());

  static RunInfoFile read(Path file, List<String> missing) throws IOException {
    try (CsvRows csv = CsvRows.open(file)) {
      Map<String, String> values = new LinkedHashMap<>();
      if (!csv.next()) {
        missing.add("data/runInfo.csv has no row.");
        return NONE;
      }
      for (int i = 0; i < csv.header().size(); i++) {
        values.put(csv.header().get(i), csv.text(i));
      }
      return new RunInfoFile(values);
    }
  }

  String text(String column) {
    return values.getOrDefault(column, "");
  }

  /** 0 if it is not there or no number. */
  double number(String column) {
    try {
      double value = Double.parseDouble(text(column));
      return Double.isFinite(value) ? value : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
