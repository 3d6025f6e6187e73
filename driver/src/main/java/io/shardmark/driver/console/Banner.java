package io.shardmark.driver.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The opening lines of a run: BenchmarkSQL's frame and its keys in its order, then our keys. */
public final class Banner {
  private static final String RULE = "+" + "-".repeat(61) + "+";

  /** Keys of BenchmarkSQL in the groups it prints; an empty text is an empty line. */
  private static final List<String> BEFORE_RUN_LENGTH =
      List.of("db", "driver", "conn", "user", "", "warehouses", "terminals");

  private static final List<String> AFTER_RUN_LENGTH =
      List.of(
          "limitTxnsPerMin",
          "terminalWarehouseFixed",
          "",
          "newOrderWeight",
          "paymentWeight",
          "orderStatusWeight",
          "deliveryWeight",
          "stockLevelWeight",
          "",
          "resultDirectory",
          "osCollectorScript",
          "");

  private static final List<String> SHOWN_IF_SET = List.of("rampupDelay", "useStoredProcedures");

  private Banner() {}

  /**
   * The lines, each to be printed with {@link RunConsole#info}.
   *
   * @param product name and version
   * @param properties the values in effect by key; passwords in URLs masked
   * @param extensions what the run uses that BenchmarkSQL does not have, as key and value in effect
   */
  public static List<String> lines(
      String product, Map<String, String> properties, Map<String, String> extensions) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(RULE);
    lines.add("     " + product);
    lines.add(RULE);
    lines.add("");
    BEFORE_RUN_LENGTH.forEach(key -> lines.add(shown(key, properties)));
    addIfSet(lines, SHOWN_IF_SET.get(0), properties);
    boolean byTransactions = !"0".equals(value("runTxnsPerTerminal", properties));
    boolean byMinutes = !"0".equals(value("runMins", properties));
    lines.add(shown(byTransactions && !byMinutes ? "runTxnsPerTerminal" : "runMins", properties));
    for (String key : AFTER_RUN_LENGTH) {
      lines.add(shown(key, properties));
      if (key.equals("terminalWarehouseFixed")) {
        addIfSet(lines, SHOWN_IF_SET.get(1), properties);
      }
    }
    extensions.forEach((key, value) -> lines.add(key + "=" + value));
    if (!extensions.isEmpty()) {
      lines.add("");
    }
    return lines;
  }

  private static void addIfSet(List<String> lines, String key, Map<String, String> properties) {
    if (properties.containsKey(key)) {
      lines.add(shown(key, properties));
    }
  }

  private static String shown(String key, Map<String, String> properties) {
    if (key.isEmpty()) {
      return "";
    }
    return properties.containsKey(key) ? key + "=" + properties.get(key) : key + " (not defined)";
  }

  private static String value(String key, Map<String, String> properties) {
    @Nullable String value = properties.get(key);
    return value == null ? "0" : value.strip();
  }
}
