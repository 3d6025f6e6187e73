package io.shardmark.driver.console;

import io.shardmark.driver.benchmark.BannerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The opening lines of a run: BenchmarkSQL's frame and its keys in its order, then Shardmark's
 * keys.
 */
public final class Banner {
  private static final String RULE = "+" + "-".repeat(61) + "+";

  /** Keys of BenchmarkSQL in the groups it prints; an empty text is an empty line. */
  private static final List<String> CONNECTION = List.of("db", "driver", "conn", "user", "");

  private static final List<String> RESULT =
      List.of("", "resultDirectory", "osCollectorScript", "");

  private Banner() {}

  /**
   * The lines, each to be printed with {@link RunConsole#info}.
   *
   * @param properties the values in effect by key; passwords in URLs masked
   * @param extensions what the run uses that BenchmarkSQL does not have, as key and value in effect
   */
  public static List<String> lines(
      String product,
      Map<String, String> properties,
      BannerSettings own,
      Map<String, String> extensions) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(RULE);
    lines.add("     " + product);
    lines.add(RULE);
    lines.add("");
    CONNECTION.forEach(key -> lines.add(shown(key, properties)));
    addOwn(lines, own.scale(), properties);
    lines.add(shown("terminals", properties));
    addOwn(lines, Map.of("rampupDelay", ""), properties);
    boolean byTransactions = !"0".equals(value("runTxnsPerTerminal", properties));
    boolean byMinutes = !"0".equals(value("runMins", properties));
    lines.add(shown(byTransactions && !byMinutes ? "runTxnsPerTerminal" : "runMins", properties));
    lines.add(shown("limitTxnsPerMin", properties));
    addOwn(lines, own.terminals(), properties);
    if (!own.mix().isEmpty()) {
      lines.add("");
      addOwn(lines, own.mix(), properties);
    }
    RESULT.forEach(key -> lines.add(shown(key, properties)));
    extensions.forEach((key, value) -> lines.add(key + "=" + value));
    if (!extensions.isEmpty()) {
      lines.add("");
    }
    return lines;
  }

  private static void addOwn(
      List<String> lines, Map<String, String> own, Map<String, String> properties) {
    own.forEach(
        (key, inEffect) -> {
          String value = properties.getOrDefault(key, inEffect);
          if (!value.isEmpty()) {
            lines.add(key + "=" + value);
          }
        });
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
