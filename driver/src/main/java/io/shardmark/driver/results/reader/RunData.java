package io.shardmark.driver.results.reader;

import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunScale;
import io.shardmark.driver.results.TypeResult;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that a result directory says about its run. Immutable.
 *
 * @param directory the directory's name as it was given
 * @param origin which program wrote it
 * @param result its {@code summary.json}; without one, as far as the other files say
 * @param certainty how sure rates and percentiles are
 * @param types each transaction type that the run had, in the workload's order
 * @param allRows whether {@code result.csv} holds each transaction
 * @param timeline figures by type over time
 * @param heatMap latencies of all counted types over time
 * @param resources operating system and database over time
 * @param errorsOverTime classes of errors over time; without lines if there are none or it is not
 *     known
 * @param missing sentences on what a whole directory would have and this one has not
 */
public record RunData(
    String directory,
    Origin origin,
    RunResult result,
    RunPropertiesFile properties,
    Certainty certainty,
    List<TypeData> types,
    boolean allRows,
    Timeline timeline,
    HeatMap heatMap,
    Resources resources,
    ErrorTimeline errorsOverTime,
    List<String> missing) {
  static final String TPCC = "TPC-C";

  /** TPC-C's types as the keys of a properties file spell them. */
  public static final List<String> TPCC_MIX =
      List.of("newOrder", "payment", "orderStatus", "delivery", "stockLevel");

  /** Both multipliers at 1 are TPC-C's pacing; a little less still is. */
  private static final double FULL_PACING = 0.999;

  public RunData {
    types = List.copyOf(types);
    missing = List.copyOf(missing);
  }

  /** Those metrics that can be shown over time; where none can, all transactions a minute. */
  public List<Metric> overTime() {
    List<Metric> known = result.metrics().stream().filter(Metric::rate).toList();
    return known.isEmpty()
        ? List.of(
            Metric.perMinute(
                "transactions",
                Double.NaN,
                result.types().stream().filter(TypeResult::counted).toList()))
        : known;
  }

  /** The name of the main metric (0) or a further one; empty if there is none. */
  public String metricName(int index) {
    return index < result.metrics().size() ? result.metrics().get(index).name() : "";
  }

  /** The benchmark; a summary that does not name it is of TPC-C. */
  public String workload() {
    String named = result.run().workload();
    return named.isEmpty() ? TPCC : named;
  }

  /** A sentence on how figures of a program differ from Shardmark's; empty if they do not. */
  public static String peculiarity(String product) {
    return product.startsWith(BenchmarkSqlResult.PROGRAM)
        ? " BenchmarkSQL counts failed transactions as done and keeps whole milliseconds."
        : "";
  }

  /** Whether TPC-C's rules and limits apply to it. */
  public boolean tpcc() {
    return workload().equals(TPCC);
  }

  /**
   * The headline type's rate as a share of the most; empty if the size of the data is not known.
   */
  public OptionalDouble percentOfLimit() {
    int scale = result.scale().number();
    return scale == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            100 * result.headlinePerMinute() / scale / RunScale.MOST_HEADLINE_PER_UNIT);
  }

  /** Length of the interval as configured; 0 for a run by number of transactions, or not known. */
  public double plannedSeconds() {
    return result.configuration().number("runSeconds");
  }

  /** Whether it ran as long as it should; BenchmarkSQL's files say so by their length alone. */
  public boolean cameToItsEnd() {
    Ending ending = result.run().ending();
    return ending == Ending.COMPLETED
        || (ending == Ending.UNKNOWN
            && origin == Origin.BENCHMARKSQL
            && result.interval().seconds() >= plannedSeconds());
  }

  /** Whether the directory has no transaction at all. */
  public boolean isBlank() {
    return types.stream().allMatch(type -> type.result().count() == 0);
  }

  /** Whether failed transactions were counted; BenchmarkSQL counts them as done. */
  public boolean knowsErrors() {
    return origin == Origin.SHARDMARK;
  }

  /** Whether terminals keyed and thought as TPC-C asks. */
  public boolean paced() {
    return result.configuration().number("pacing", "keyingTimeMultiplier") >= FULL_PACING
        && result.configuration().number("pacing", "thinkTimeMultiplier") >= FULL_PACING;
  }

  /** What the driver's process used; empty if it did not live to say so. */
  public Optional<Client> client() {
    return Optional.ofNullable(result.client());
  }

  /** Who made the run, if several drivers did. */
  public Optional<Drivers> drivers() {
    return Optional.ofNullable(result.drivers());
  }

  /** Which program wrote the directory. */
  public enum Origin {
    SHARDMARK,
    BENCHMARKSQL
  }

  /**
   * Figures over time that are no transactions.
   *
   * @param system {@code sys_info.csv}: shares 0 to 1, dirty pages
   * @param devices {@code blk_*} and {@code net_*} files, by device with its prefix; and of other
   *     machines {@code sys_info_*}
   * @param database {@code db_stats.csv}: counters per second, levels
   * @param clients {@code client.csv}: what the process of each driver used, by its index; of one
   *     driver alone if there were not several
   */
  public record Resources(
      Optional<SampledSeries> system,
      Map<String, SampledSeries> devices,
      Optional<SampledSeries> database,
      SortedMap<Integer, SampledSeries> clients) {
    public Resources {
      devices = TypeResult.ordered(devices);
      clients = Collections.unmodifiableSortedMap(new TreeMap<>(clients));
    }
  }
}
