package io.shardmark.driver.compare;

import io.shardmark.driver.results.reader.RunData;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The conditions under which runs can be compared, each in words. */
final class RunConditions {
  static final String PROFILE = "Statement profile";

  private final Map<String, String> settings;

  private RunConditions(Map<String, String> settings) {
    this.settings = settings;
  }

  /** What every benchmark has and decides nothing, or what another condition tells. */
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

  /** Names and texts in the order in which they are shown; empty texts are not known. */
  static Map<String, String> of(Map<String, String> settings, Yardstick yardstick) {
    return new RunConditions(settings).of(yardstick);
  }

  /** What every benchmark has, and of other ones than TPC-C all settings besides their scale. */
  private Map<String, String> of(Yardstick yardstick) {
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
      settings.forEach(
          (key, text) -> {
            if (!COMMON.contains(key) && !key.equals(yardstick.scale())) {
              texts.put(key, text);
            }
          });
    }
    texts.put("Connections", pool());
    String rampUp = number("rampupSeconds");
    texts.put("Ramp-up", rampUp.isEmpty() ? "" : rampUp + " s");
    return texts;
  }

  private String text(String key) {
    return settings.getOrDefault(key, "");
  }

  private String number(String key) {
    return plain(text(key).strip(), UnaryOperator.identity());
  }

  /** A number without zeros at its end, so that {@code 1.0} and {@code 1} are the same. */
  private static String plain(String text, UnaryOperator<BigDecimal> rounded) {
    try {
      return rounded.apply(new BigDecimal(text)).stripTrailingZeros().toPlainString();
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
