package io.shardmark.driver.report;

import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.TypeResult;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Everything that a result directory tells about its run. Immutable.
 *
 * @param directory the directory's name as it was given
 * @param result its {@code summary.json}; without one, as far as the other files tell
 * @param identity which run this was
 * @param setup what it was told
 * @param interval what was measured when
 * @param rates throughput
 * @param certainty how sure rates and percentiles are
 * @param types each transaction type that the run had, in the workload's order
 * @param summaryTable BenchmarkSQL's summary
 * @param timeline figures by type over time
 * @param heatMap latencies of all counted types over time
 * @param resources operating system and database over time
 * @param errorsOverTime classes of errors over time; without lines if there are none or it is not
 *     known
 * @param missing sentences on what a whole directory would have and this one has not
 */
public record RunData(
    String directory,
    RunResult result,
    Identity identity,
    Setup setup,
    Interval interval,
    Rates rates,
    Certainty certainty,
    List<TypeData> types,
    SummaryTable summaryTable,
    Timeline timeline,
    HeatMap heatMap,
    Resources resources,
    ErrorTimeline errorsOverTime,
    List<String> missing) {
  private static final String TPCC = "TPC-C";

  public RunData {
    types = List.copyOf(types);
    missing = List.copyOf(missing);
  }

  /** What its benchmark is judged by, the main one first; of one that does not say, TPC-C's. */
  public List<Metric> metrics() {
    return metrics(result, rates, types);
  }

  static List<Metric> metrics(RunResult result, Rates rates, List<TypeData> types) {
    if (!result.metrics().isEmpty()) {
      return result.metrics();
    }
    Metric total = perMinute("tpmTotal", rates.tpmTotal(), types, TypeResult::counted);
    return types.isEmpty() || types.stream().anyMatch(type -> type.result().headline())
        ? List.of(perMinute("tpmC", rates.tpmC(), types, TypeResult::headline), total)
        : List.of(total);
  }

  /** Those metrics that can be shown over time; where none can, all transactions a minute. */
  public List<Metric> overTime() {
    List<Metric> known = metrics().stream().filter(Metric::rate).toList();
    return known.isEmpty()
        ? List.of(perMinute("transactions", Double.NaN, types, TypeResult::counted))
        : known;
  }

  private static Metric perMinute(
      String name, double value, List<TypeData> types, Predicate<TypeResult> counts) {
    Map<String, Long> weights = new LinkedHashMap<>();
    types.stream()
        .map(TypeData::result)
        .filter(counts)
        .forEach(type -> weights.put(type.name(), 1L));
    return new Metric(name, "/min", value, null, weights, true);
  }

  /** The benchmark; a directory that does not name it is one of TPC-C, as BenchmarkSQL's are. */
  public String workload() {
    String named = result.run().workload();
    if (!named.isEmpty()) {
      return named;
    }
    return setup.given().stream()
        .filter(given -> given.key().equals("workload"))
        .map(Given::value)
        .filter(value -> !value.equalsIgnoreCase("tpcc"))
        .findFirst()
        .orElse(TPCC);
  }

  /** Whether a type has a limit of its response time. */
  public boolean limited() {
    return types.stream().anyMatch(type -> type.result().limitMillis() > 0);
  }

  /** Whether TPC-C's rules and limits apply to it. */
  public boolean tpcc() {
    return workload().equals(TPCC);
  }

  /** What its figures are worth, as the run itself found; empty if it did not live to say so. */
  public Optional<RunVerdict> verdict() {
    return Optional.ofNullable(result.verdict());
  }

  /** What the driver's process used; empty if it did not live to say so. */
  public Optional<Client> client() {
    return Optional.ofNullable(result.client());
  }

  /** What limited it, as the run itself found. */
  public Optional<Bottleneck> bottleneck() {
    return Optional.ofNullable(result.bottleneck());
  }

  /** Who made the run, if several drivers did. */
  public Optional<Drivers> drivers() {
    return Optional.ofNullable(result.drivers());
  }

  static <V> Map<String, V> ordered(Map<String, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /** Which program wrote the directory. */
  public enum Origin {
    SHARDMARK,
    BENCHMARKSQL
  }

  /**
   * Which run this was. Texts are empty where they are not known.
   *
   * @param origin who wrote the directory
   * @param run the run number, as text
   * @param product name and version of the program
   * @param start when the session began, as the directory has it
   * @param end when it ended
   * @param ending {@code completed}, {@code interrupted}, {@code incomplete} or {@code aborted}
   */
  public record Identity(
      Origin origin, String run, String product, String start, String end, String ending) {}

  /**
   * What the run was told and where it ran: names and texts.
   *
   * @param database kind of database, such as {@code postgres}; empty if not known
   * @param warehouses of the run; 0 if not known
   * @param terminals 0 if not known
   * @param propertiesText {@code run.properties} with passwords masked
   * @param given keys whose value is not the default
   * @param configuration what was in effect, from {@code summary.json}
   * @param surroundings facts of workload, machine, JVM and database
   * @param paced whether terminals keyed and thought as TPC-C asks (both multipliers 1)
   */
  public record Setup(
      String database,
      int warehouses,
      int terminals,
      String propertiesText,
      List<Given> given,
      Map<String, String> configuration,
      Map<String, Map<String, String>> surroundings,
      boolean paced) {
    public Setup {
      given = List.copyOf(given);
      configuration = ordered(configuration);
      surroundings = ordered(surroundings);
    }
  }

  /**
   * A key of the properties file.
   *
   * @param missing what holds without it
   * @param from where the value stands: {@code line 7}, {@code command line}
   */
  public record Given(String key, String value, String missing, String from) {}

  /**
   * The measurement interval.
   *
   * @param seconds its length
   * @param plannedSeconds as configured; 0 for a run by number of transactions or if not known
   * @param rampUpSeconds before it
   */
  public record Interval(double seconds, double plannedSeconds, double rampUpSeconds) {}

  /**
   * Transactions per minute.
   *
   * @param tpmC New-Orders without failed ones
   * @param tpmTotal all counted types without failed ones
   * @param transactions how many those were
   * @param failed counted transactions that ended in an error
   * @param tpmCAsBenchmarkSql with failed ones, as BenchmarkSQL counts
   */
  public record Rates(
      double tpmC, double tpmTotal, long transactions, long failed, double tpmCAsBenchmarkSql) {}

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
      devices = ordered(devices);
      clients = Collections.unmodifiableSortedMap(new TreeMap<>(clients));
    }
  }
}
