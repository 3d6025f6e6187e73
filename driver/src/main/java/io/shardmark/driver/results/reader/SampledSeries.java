package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.TypeResult;
import java.util.List;
import java.util.Map;

/**
 * Named figures that were read every so often, as means of buckets of equal width.
 *
 * @param widthSeconds of a bucket
 * @param columns values by name, one for each bucket; NaN where nothing was read
 */
public record SampledSeries(double widthSeconds, Map<String, List<Double>> columns) {
  public SampledSeries {
    columns = TypeResult.ordered(columns);
  }

  /** Of a column that may not be there; empty then. */
  public List<Double> column(String name) {
    return columns.getOrDefault(name, List.of());
  }

  /** Mean over time of the values that were read; NaN without one. */
  public double mean(String name) {
    return column(name).stream()
        .filter(value -> !value.isNaN())
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(Double.NaN);
  }
}
