package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * A figure of a run.
 *
 * @param name as tables show it
 * @param unit such as {@code /min}
 * @param hasParts whether parts of a run have it too
 * @param source reads it; NaN if it is not known
 * @param bound whether it may be higher than is known
 */
public record ComparedFigure(
    String name,
    String unit,
    boolean higherIsBetter,
    @JsonIgnore boolean hasParts,
    @JsonIgnore ToDoubleFunction<Measurement> source,
    @JsonIgnore Predicate<Measurement> bound) {

  /** Counted transactions that ended in an error, of all counted ones. */
  public static final ComparedFigure FAILED_PERCENT =
      new ComparedFigure(
          "failed %",
          "%",
          false,
          false,
          run -> {
            Long failed = run.failed();
            return failed == null
                ? Double.NaN
                : 100.0 * failed / (failed + run.result().transactionCount());
          },
          run -> false);

  static ComparedFigure latency(String type, LatencyFigure percentile) {
    return new ComparedFigure(
        percentile.text() + " " + type,
        "ms",
        false,
        false,
        run -> {
          Latency figures = run.latencies().get(type);
          return figures == null || figures.count() == 0 ? Double.NaN : percentile.of(figures);
        },
        run -> {
          Latency figures = run.latencies().get(type);
          return figures != null && percentile.isLowerBound(figures);
        });
  }

  static ComparedFigure rate(String name, String unit, boolean higherIsBetter, boolean hasParts) {
    return new ComparedFigure(
        name, unit, higherIsBetter, hasParts, run -> run.value(name), run -> false);
  }

  /** Whether values of the other one can be compared with those of this one. */
  boolean isLike(ComparedFigure other) {
    return name.equals(other.name)
        && unit.equals(other.unit)
        && higherIsBetter == other.higherIsBetter;
  }

  /** With its unit, where the name does not have it: {@code 30 ms}, {@code 12 a second}. */
  public String text(double value) {
    return switch (unit) {
      case "ms" -> Texts.latency(value);
      case "%" -> Texts.number(value) + " %";
      case "/s" -> Texts.three(value) + " a second";
      default -> Texts.three(value);
    };
  }

  boolean isLowerBound(Measurement run) {
    return bound.test(run);
  }

  public double of(Measurement run) {
    return source.applyAsDouble(run);
  }
}
