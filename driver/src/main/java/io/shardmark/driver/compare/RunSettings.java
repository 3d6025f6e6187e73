package io.shardmark.driver.compare;

import io.shardmark.driver.results.SystemFacts;
import io.shardmark.driver.results.reader.RunData;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The settings of a run, under the names that {@code summary.json} has in {@code configuration},
 * whichever program wrote the directory.
 *
 * @param effective the settings that decide whether runs can be compared
 * @param database what the server said of itself
 * @param all everything that is known, for the list of differences: properties, what was in effect,
 *     facts of machine, JVM and database
 */
record RunSettings(
    Map<String, String> effective, Map<String, String> database, Map<String, String> all) {
  static final String PROFILE = "Statement profile";
  private static final String SETTINGS = "Server's settings";
  private static final String TABLES = "Tables and keys";
  private static final String EXTENSIONS = "Extensions";

  /** One of more stays as it was written. */
  private static final int MOST_DIGITS = 100;

  /** What every benchmark has and decides nothing, or what another condition shows. */
  private static final Set<String> COMMON =
      Set.of(
          "db",
          "driver",
          "conn",
          "user",
          "isolation",
          "terminals",
          "connections",
          "runTxnsPerTerminal",
          "runSeconds",
          "rampupSeconds",
          "retries",
          "seed",
          "seedDrawn",
          "keyingTimeMultiplier",
          "thinkTimeMultiplier",
          "limitTxnsPerMin",
          "limitPacing",
          "openLoopTxnsPerMin",
          "rampupDelaySeconds",
          "scale");

  static RunSettings of(RunData run) {
    Map<String, String> properties = properties(run);
    Map<String, String> effective = new LinkedHashMap<>(run.result().configuration().texts());
    effective.putIfAbsent(
        "rampupSeconds", String.valueOf(Math.round(run.result().interval().rampUpSeconds())));
    Map<String, String> all = new LinkedHashMap<>(properties);
    effective.forEach(all::putIfAbsent);
    put(all, "Workload", run.result().facts());
    put(all, "Driver's machine", run.result().machine());
    put(all, "Driver's Java", run.result().jvm());
    put(all, "Database", run.result().database());
    return new RunSettings(effective, run.result().database(), all);
  }

  private static void put(Map<String, String> all, String part, Map<String, String> facts) {
    facts.forEach((name, text) -> all.put(part + ": " + name, text));
  }

  /** The same for figures that others published, as far as they are stated. */
  static RunSettings of(Map<String, String> stated, Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(stated);
    all.putAll(more);
    return new RunSettings(stated, Map.of(), all);
  }

  private static Map<String, String> properties(RunData run) {
    Properties values = run.properties().values();
    Map<String, String> texts = new TreeMap<>();
    values.stringPropertyNames().forEach(key -> texts.put(key, values.getProperty(key).strip()));
    return texts;
  }

  /** The number; if it is not known, what the setting of that name says; 0 if nobody said. */
  int known(int number, String key) {
    if (number > 0) {
      return number;
    }
    try {
      return Math.max(0, Integer.parseInt(all.getOrDefault(key, "")));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * The conditions under which runs can be compared, each in words, in the order in which they are
   * shown: what every benchmark has, and of other ones than TPC-C all settings besides their scale.
   * Empty texts are not known.
   */
  Map<String, String> conditions(Yardstick yardstick) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (yardstick.isTpcC()) {
      texts.put(PROFILE, text("statementProfile"));
    }
    texts.put("Pacing", pacing());
    texts.put("Isolation", text("isolation"));
    if (yardstick.isTpcC()) {
      texts.put("Mix", mix());
      texts.put("Remote shares", remote());
      texts.put("Home warehouses", homes());
    } else {
      effective.forEach(
          (key, text) -> {
            if (!COMMON.contains(key) && !key.equals(yardstick.scale())) {
              texts.put(key, text);
            }
          });
    }
    texts.put("Connections", pool());
    texts.put(SETTINGS, SystemFacts.settings(database));
    texts.put(TABLES, SystemFacts.tables(database));
    texts.put(EXTENSIONS, SystemFacts.extensions(database));
    String rampUp = number("rampupSeconds");
    texts.put("Ramp-up", rampUp.isEmpty() ? "" : rampUp + " s");
    return texts;
  }

  private String text(String key) {
    return effective.getOrDefault(key, "");
  }

  private String number(String key) {
    return plain(text(key).strip(), UnaryOperator.identity());
  }

  /** A number without zeros at its end, so that {@code 1.0} and {@code 1} are the same. */
  private static String plain(String text, UnaryOperator<BigDecimal> rounded) {
    try {
      BigDecimal number = new BigDecimal(text);
      return Math.abs(number.scale()) > MOST_DIGITS
          ? text
          : rounded.apply(number).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException e) {
      return text;
    }
  }

  private String pacing() {
    String keying = number("keyingTimeMultiplier");
    String think = number("thinkTimeMultiplier");
    if (keying.isEmpty() && think.isEmpty()) {
      return "";
    }
    List<String> texts = new ArrayList<>();
    texts.add(
        keying.equals("0") && think.equals("0")
            ? "no keying or think times"
            : "keying times x " + keying + ", think times x " + think);
    add(texts, "limitTxnsPerMin", "at most %s transactions a minute");
    add(texts, "openLoopTxnsPerMin", "%s transactions a minute on a fixed schedule");
    return String.join(", ", texts);
  }

  private void add(List<String> texts, String key, String pattern) {
    String number = number(key);
    if (!number.isEmpty() && !number.equals("0")) {
      texts.add(pattern.formatted(number));
    }
  }

  /** Weights that do not add up to 100 make shares with many decimals. */
  private String mix() {
    List<String> shares =
        RunData.TPCC_MIX.stream()
            .map(type -> number("mixPercent." + type))
            .map(share -> plain(share, exact -> exact.setScale(2, RoundingMode.HALF_UP)))
            .toList();
    return shares.stream().anyMatch(String::isEmpty) ? "" : String.join("/", shares) + " %";
  }

  private String remote() {
    String lines = number("newOrderRemotePercent");
    String payments = number("paymentRemotePercent");
    return lines.isEmpty() || payments.isEmpty()
        ? ""
        : lines + " % of order lines, " + payments + " % of payments";
  }

  private String homes() {
    return switch (text("terminalWarehouseFixed")) {
      case "true" -> "each terminal has its own";
      case "false" -> "drawn for each transaction";
      default -> "";
    };
  }

  /** As many as terminals is BenchmarkSQL's way and stays one condition over a curve. */
  private String pool() {
    String connections = number("connections");
    if (connections.isEmpty()) {
      return "";
    }
    // A list of published figures says "terminals" for a whole curve.
    return connections.equals(number("terminals")) || connections.equals("terminals")
        ? "one for each terminal"
        : connections + " for all terminals";
  }
}
