package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The drivers of a run that several made together. In the result of one of them it holds that one
 * alone, without figures.
 *
 * @param group what all their results have in common and no others
 * @param count how many drivers the run had
 * @param merged true if this is the result of all of them, false in that of one
 * @param complete whether the results of all are in it; null in that of one
 * @param startSkewMillis how far the starts of two of them may have been apart, at most; null in
 *     the result of one
 * @param list those whose results are in this one, in order
 * @param lost those whose results should be in it and are not
 */
public record Drivers(
    String group,
    int count,
    boolean merged,
    @Nullable Boolean complete,
    @Nullable Double startSkewMillis,
    List<DriverPart> list,
    List<Lost> lost) {
  public Drivers {
    list = List.copyOf(list);
    lost = List.copyOf(lost);
  }

  /**
   * One driver. The members from {@code metrics} on are only in a merged result.
   *
   * @param index from 0
   * @param from first unit of the run's scale that it had
   * @param to last one
   * @param terminals how many it had
   * @param connections how many it opened
   * @param startUncertaintyMillis how far the agreed instants may have been apart, at most
   * @param startLateMillis how late its terminals were ready after the agreed instant
   * @param clockDriftMillis how far its clock went away from driver 0's until the end; null if that
   *     was not measured
   * @param observedBeforeMillis how long before the agreed instant the files of its observers
   *     begin; 0 if they begin with it
   * @param metrics the benchmark's metrics by name
   * @param errors failed transactions
   * @param client what its process used
   * @param machine where it ran, as names and texts
   * @param driverBound whether it was a bottleneck
   */
  public record DriverPart(
      int index,
      int from,
      int to,
      int terminals,
      int connections,
      double startUncertaintyMillis,
      double startLateMillis,
      @Nullable Double clockDriftMillis,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) double observedBeforeMillis,
      Map<String, Double> metrics,
      long transactionCount,
      long errors,
      @Nullable Client client,
      Map<String, String> machine,
      boolean driverBound) {
    public DriverPart {
      metrics = TypeResult.ordered(metrics);
      machine = TypeResult.ordered(machine);
    }

    /** One in its own result, without figures. */
    public static DriverPart of(
        int index,
        int from,
        int to,
        int terminals,
        int connections,
        double startUncertaintyMillis,
        double startLateMillis,
        @Nullable Double clockDriftMillis,
        double observedBeforeMillis) {
      return new DriverPart(
          index,
          from,
          to,
          terminals,
          connections,
          startUncertaintyMillis,
          startLateMillis,
          clockDriftMillis,
          observedBeforeMillis,
          Map.of(),
          0,
          0,
          null,
          Map.of(),
          false);
    }

    /** The same in the result of all drivers, whose files begin with the start. */
    public DriverPart with(RunResult result, boolean isBound) {
      Map<String, Double> figures = new LinkedHashMap<>();
      result.metrics().forEach(metric -> figures.put(metric.name(), metric.value()));
      return new DriverPart(
          index,
          from,
          to,
          terminals,
          connections,
          startUncertaintyMillis,
          startLateMillis,
          clockDriftMillis,
          0,
          figures,
          result.transactionCount(),
          result.types().stream().mapToLong(TypeResult::errors).sum(),
          result.client(),
          result.machine(),
          isBound);
    }

    /** Its units of the scale, for people; empty if they are not known. */
    public String range() {
      return Drivers.range(from, to);
    }
  }

  /**
   * A driver whose result is missing.
   *
   * @param index from 0
   * @param from first unit of the run's scale that it should have had
   * @param to last one; 0 if not known
   * @param terminals how many it should have had; 0 if not known
   * @param reason what is known of its end
   */
  public record Lost(int index, int from, int to, int terminals, String reason) {
    /** Its units of the scale, for people; empty if they are not known. */
    public String range() {
      return Drivers.range(from, to);
    }
  }

  /**
   * The result of all drivers.
   *
   * @param list those whose results are in it
   * @param lost the others
   */
  public static Drivers merged(String group, int count, List<DriverPart> list, List<Lost> lost) {
    double skew =
        list.stream()
            .mapToDouble(part -> part.startUncertaintyMillis() + part.startLateMillis())
            .max()
            .orElse(0);
    return new Drivers(
        group, count, true, lost.isEmpty(), Latency.millis(Math.round(1e6 * skew)), list, lost);
  }

  /** How long before the start the files of observers begin, in the result of one driver. */
  public double observedBeforeMillis() {
    return merged || list.isEmpty() ? 0 : list.get(0).observedBeforeMillis();
  }

  private static String range(int from, int to) {
    return to == 0 ? "" : "%d to %d".formatted(from, to);
  }
}
