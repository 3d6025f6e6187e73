package io.shardmark.driver.results;

import io.shardmark.config.Price;
import io.shardmark.config.PropertyKey;
import io.shardmark.driver.results.estimate.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a run's result takes: money or processors for a rate.
 *
 * @param name such as {@code price per tpmC}
 * @param unit a currency, or empty
 * @param interval of the rate that it is divided by, inverted; null if that is not known
 */
public record CostFigure(String name, String unit, double value, @Nullable Interval interval) {
  private static final double MILLION = 1e6;
  private static final double THOUSAND = 1e3;

  /**
   * Those of a run; none for a price that is not known, or of a run without a success.
   *
   * @param rates intervals of its metrics, by name
   */
  public static List<CostFigure> of(RunResult run, Map<String, Interval> rates) {
    List<CostFigure> figures = new ArrayList<>();
    if (run.metrics().isEmpty()
        || !(run.metrics().get(0).value() > 0)
        || run.headlineCount() == 0) {
      return figures;
    }
    Metric main = run.metrics().get(0);
    Divided divided = new Divided(figures, main.value(), rates.get(main.name()));
    price(run, PropertyKey.SYSTEM_PRICE)
        .ifPresent(
            price ->
                divided.add(
                    "price per " + main.name(), price.currency(), price.amount() / main.value()));
    String headlines =
        run.types().stream()
            .filter(TypeResult::headline)
            .map(TypeResult::name)
            .collect(Collectors.joining("/"));
    double perHour = 60 * run.headlinePerMinute();
    price(run, PropertyKey.PRICE_PER_HOUR)
        .ifPresent(
            price ->
                divided.add(
                    "price per million " + headlines,
                    price.currency(),
                    MILLION * price.amount() / perHour));
    ProcessorCost.serverSeconds(run)
        .ifPresent(
            seconds ->
                divided.add(
                    "processors per 1,000 " + main.name(),
                    "",
                    THOUSAND * seconds / run.interval().seconds() / main.value()));
    return figures;
  }

  private static Optional<Price> price(RunResult run, PropertyKey key) {
    return Optional.ofNullable(run.configuration().group("properties").get(key.key()))
        .flatMap(text -> Price.find(text.toString()));
  }

  /** Its name with the unit. */
  public String title() {
    return name + (unit.isEmpty() ? "" : ", " + unit);
  }

  /** Collects figures that are divided by one rate. */
  private record Divided(List<CostFigure> figures, double rate, @Nullable Interval interval) {
    void add(String name, String unit, double value) {
      figures.add(
          new CostFigure(
              name,
              unit,
              value,
              interval == null || interval.low() <= 0
                  ? null
                  : new Interval(value * rate / interval.high(), value * rate / interval.low())));
    }
  }
}
