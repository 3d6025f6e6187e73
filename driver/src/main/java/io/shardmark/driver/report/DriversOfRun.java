package io.shardmark.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The drivers of a run that several made together, from {@code summary.json}. Immutable.
 *
 * @param count how many drivers the run had
 * @param merged false if this is the result of one of them
 * @param startSkewMillis how far the starts of two of them may have been apart, at most
 * @param list those whose results are in this one
 * @param lost those whose results should be in it and are not
 */
public record DriversOfRun(
    int count, boolean merged, double startSkewMillis, List<One> list, List<Lost> lost) {
  public DriversOfRun {
    list = List.copyOf(list);
    lost = List.copyOf(lost);
  }

  /**
   * A driver's part.
   *
   * @param warehouseTo 0 if the part is not known
   */
  public record Share(int index, int warehouseFrom, int warehouseTo, int terminals) {
    private static Share of(JsonNode node) {
      return new Share(
          node.path("index").asInt(),
          node.path("warehouseFrom").asInt(),
          node.path("warehouseTo").asInt(),
          node.path("terminals").asInt());
    }
  }

  /**
   * One driver. Figures are 0 in the result of one of several.
   *
   * @param uncertaintyMillis how far its start may have been from driver 0's
   * @param lateMillis how late its terminals were
   * @param driftMillis how far its clock went away from driver 0's until the end
   * @param observedBeforeMillis how long before the start the files of its observers begin
   */
  public record One(
      Share share,
      double tpmC,
      double tpmTotal,
      long errors,
      double coresUsed,
      int coresAvailable,
      double latenessMillis,
      boolean driverBound,
      double uncertaintyMillis,
      double lateMillis,
      OptionalDouble driftMillis,
      double observedBeforeMillis) {
    private static One of(JsonNode node) {
      JsonNode drift = node.path("clockDriftMillis");
      return new One(
          Share.of(node),
          node.path("tpmC").asDouble(),
          node.path("tpmTotal").asDouble(),
          node.path("errors").asLong(),
          node.at("/client/coresUsed").asDouble(),
          node.at("/client/coresAvailable").asInt(),
          node.at("/client/schedulerLatenessP99Millis").asDouble(),
          node.path("driverBound").asBoolean(),
          node.path("startUncertaintyMillis").asDouble(),
          node.path("startLateMillis").asDouble(),
          drift.isNumber() ? OptionalDouble.of(drift.asDouble()) : OptionalDouble.empty(),
          node.path("observedBeforeMillis").asDouble());
    }
  }

  /** How long before the start the files of observers begin, in the result of one driver. */
  double observedBeforeMillis() {
    return merged || list.isEmpty() ? 0 : list.get(0).observedBeforeMillis();
  }

  /** A driver whose result is missing. */
  public record Lost(Share share, String reason) {}

  /** Reads the member {@code drivers}; empty if there is none. */
  static Optional<DriversOfRun> of(JsonNode node) {
    if (!node.isObject()) {
      return Optional.empty();
    }
    List<One> list = new ArrayList<>();
    node.path("list").forEach(one -> list.add(One.of(one)));
    List<Lost> lost = new ArrayList<>();
    node.path("lost")
        .forEach(one -> lost.add(new Lost(Share.of(one), one.path("reason").asText())));
    return Optional.of(
        new DriversOfRun(
            node.path("count").asInt(),
            node.path("merged").asBoolean(),
            node.path("startSkewMillis").asDouble(),
            list,
            lost));
  }
}
