package io.shardmark.driver.results.reader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Makes the heat map: a dozen bands for each factor of ten of latency. */
final class HeatMapBands {
  private static final int BANDS_PER_DECADE = 12;

  /** 10 µs to 1000 s; what lies outside is in the first and the last band. */
  private static final int FIRST_DECADE = -2;

  private static final int LAST_DECADE = 6;

  /** How fine the latencies of a source are. */
  enum Resolution {
    MICROSECONDS,
    /** Bands below 10 ms begin at whole milliseconds: finer ones would stay empty. */
    MILLISECONDS
  }

  private HeatMapBands() {}

  static HeatMap of(BucketHistograms buckets, List<Integer> types, Resolution resolution) {
    List<Double> edges = edges(resolution);
    List<HeatMap.HeatCell> cells = new ArrayList<>();
    int lowest = edges.size();
    int highest = 0;
    for (int column = 0; column < buckets.size(); column++) {
      long[] counts = countBands(buckets.sum(column, types), edges);
      for (int band = 0; band < counts.length; band++) {
        if (counts[band] > 0) {
          cells.add(new HeatMap.HeatCell(column, band, counts[band]));
          lowest = Math.min(lowest, band);
          highest = Math.max(highest, band);
        }
      }
    }
    if (cells.isEmpty()) {
      return HeatMap.NONE;
    }
    int first = lowest;
    return new HeatMap(
        buckets.widthSeconds(),
        buckets.size(),
        edges.subList(lowest, highest + 1),
        cells.stream()
            .map(c -> new HeatMap.HeatCell(c.column(), c.band() - first, c.count()))
            .toList());
  }

  private static List<Double> edges(Resolution resolution) {
    TreeSet<Double> edges = new TreeSet<>();
    for (int step = FIRST_DECADE * BANDS_PER_DECADE;
        step <= LAST_DECADE * BANDS_PER_DECADE;
        step++) {
      double edge = Math.pow(10, (double) step / BANDS_PER_DECADE);
      edges.add(resolution == Resolution.MILLISECONDS ? (double) Math.round(edge) : edge);
    }
    return List.copyOf(edges);
  }

  private static long[] countBands(Histogram histogram, List<Double> edges) {
    long[] counts = new long[edges.size()];
    for (HistogramIterationValue step : histogram.recordedValues()) {
      // The upper end of the histogram's step: the lower one of 7 ms would be a little below 7 ms.
      double millis = step.getValueIteratedTo() / BucketHistograms.UNITS_PER_MILLI;
      int found = Collections.binarySearch(edges, millis);
      int band = found >= 0 ? found : Math.max(0, -found - 2);
      counts[band] += step.getCountAddedInThisIterationStep();
    }
    return counts;
  }
}
