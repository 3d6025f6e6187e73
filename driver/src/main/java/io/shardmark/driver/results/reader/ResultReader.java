package io.shardmark.driver.results.reader;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.ObserverNote;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.reader.RunData.Resources;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads a result directory of Shardmark or of BenchmarkSQL 5, each file once from its beginning to
 * its end, in memory that does not grow with them. What is not there becomes a sentence in {@link
 * RunData#missing()}.
 */
public final class ResultReader {
  private static final int MOST_DEVICES = 64;

  private final Path directory;
  private final Path data;
  private final List<String> missing;
  private final Optional<RunResult> summary;
  private final TypeNames names;
  private final ResultRowsFile rows;
  private final PerSecondFile perSecond;
  private final HistogramLogFile histogramLog;
  private final ErrorsFile errors = new ErrorsFile();

  private ResultReader(Path directory, Optional<RunResult> summary, List<String> missing) {
    this.directory = directory;
    this.summary = summary;
    this.missing = missing;
    data = directory.resolve("data");
    names =
        new TypeNames(
            summary.map(RunResult::types).orElse(List.of()).stream()
                .map(TypeResult::name)
                .collect(Collectors.toSet()));
    rows = new ResultRowsFile(names);
    perSecond = new PerSecondFile(names);
    histogramLog = new HistogramLogFile(names);
  }

  /**
   * Reads a directory.
   *
   * @throws ConfigException if it is no result directory, or all that it has cannot be read
   * @throws IOException if a file cannot be read
   */
  public static RunData read(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new ConfigException(
          directory
              + (Files.exists(directory)
                  ? ": is a file, expected a result directory"
                  : ": no such result directory"));
    }
    if (!isRun(directory)) {
      throw new ConfigException(
          directory + ": is no result directory, it has neither summary.json nor data/result.csv");
    }
    List<String> missing = new ArrayList<>();
    Optional<RunResult> summary = SummaryFile.read(directory, missing);
    if (!missing.isEmpty() && summary.isEmpty() && !Files.exists(directory.resolve("data"))) {
      throw new ConfigException(directory + "/" + missing.get(0).replaceFirst("\\.$", ""));
    }
    return new ResultReader(directory, summary, missing).read();
  }

  /** Reads the directory of a run that has just written it, without learning its result again. */
  public static RunData read(Path directory, RunResult result) throws IOException {
    return new ResultReader(directory, Optional.of(result), new ArrayList<>()).read();
  }

  /** Whether a directory holds files of a run. */
  public static boolean isResult(Path directory) {
    return Files.isDirectory(directory.resolve("data"))
        || Files.isRegularFile(directory.resolve(SummaryFile.NAME))
        || Files.isRegularFile(directory.resolve("run.properties"));
  }

  /** The same; an empty directory is what a run leaves that was killed at its very beginning. */
  public static boolean isRun(Path directory) throws IOException {
    if (isResult(directory)) {
      return true;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  private RunData read() throws IOException {
    RunPropertiesFile properties =
        isThere("run.properties", "the properties of the run")
            ? RunPropertiesFile.read(directory.resolve("run.properties"), missing)
            : RunPropertiesFile.none();
    Map<String, String> info =
        isThere("data/runInfo.csv", "which run it was and how long it should take")
            ? BenchmarkSqlResult.readInfo(data.resolve("runInfo.csv"), missing)
            : Map.of();
    if (isThere("data/result.csv", "the transactions")) {
      rows.read(data.resolve("result.csv"), missing);
    }
    boolean byShardmark = isByShardmark(info);
    if (byShardmark) {
      readShardmarkFiles();
    }
    BenchmarkSqlResult others = new BenchmarkSqlResult(info, properties, byShardmark);
    RunFigures figures = new RunFigures(names, rows, perSecond, histogramLog, summary, others);
    RunResult result = figures.result(errors.classes(), missing);
    List<TypeData> types = figures.types(result, missing);
    Timeline timeline = figures.timeline(result);
    double observedBefore =
        summary.map(RunResult::drivers).map(Drivers::observedBeforeMillis).orElse(0.0);
    Resources resources =
        resources(
            new SampledFile.Span(
                Math.round(result.interval().rampUpSeconds() * 1000 + observedBefore),
                Math.round(result.interval().seconds() * 1000)),
            byShardmark);
    return new RunData(
        String.valueOf(directory.toAbsolutePath().normalize().getFileName()),
        byShardmark ? RunData.Origin.SHARDMARK : RunData.Origin.BENCHMARKSQL,
        result,
        properties,
        result.stages().isEmpty() ? figures.certainty(types, timeline, result) : Certainty.NONE,
        types,
        figures.allRows(),
        timeline,
        figures.heatMap(),
        resources,
        errors.timeline(timeline.widthSeconds(), result.interval().seconds()),
        missing);
  }

  private boolean isByShardmark(Map<String, String> info) {
    return summary.isPresent()
        || info.getOrDefault("driverVersion", "").startsWith("Shardmark")
        || Files.exists(data.resolve("per_second.csv"));
  }

  private void readShardmarkFiles() throws IOException {
    if (summary.isEmpty()) {
      missing.add(
          "summary.json is not there, as after a run that was killed: no input audit, no texts of"
              + " errors, no distributed transactions, no verdict.");
    } else if (summary.get().latencyMillis().of(Scope.DISTRIBUTED, LatencyKind.DUE).isEmpty()) {
      missing.add("No transaction touched more than one partition.");
    }
    for (ObserverNote note : summary.map(RunResult::observers).orElse(List.of())) {
      missing.add("After %s s: %s".formatted(note.afterSeconds(), note.text()));
    }
    if (isThere("data/per_second.csv", "exact counts over time")) {
      perSecond.read(data.resolve("per_second.csv"), missing);
    }
    if (isThere("data/errors.csv", "classes of errors over time")) {
      errors.read(data.resolve("errors.csv"), missing);
    }
    if (isThere("data/latency.hlog", "latencies finer than a millisecond")) {
      histogramLog.read(data.resolve("latency.hlog"), missing);
    }
  }

  private boolean isThere(String name, String what) {
    if (Files.isRegularFile(directory.resolve(name))) {
      return true;
    }
    missing.add(name + " is not there: " + what + ".");
    return false;
  }

  private Resources resources(SampledFile.Span span, boolean byShardmark) throws IOException {
    Optional<SampledSeries> system =
        first(sampled("sys_info.csv", "the run had no OS collector", span));
    Map<String, SampledSeries> devices = new TreeMap<>();
    for (Path file : deviceFiles()) {
      String fileName = String.valueOf(file.getFileName());
      String device = fileName.substring(0, fileName.length() - ".csv".length());
      first(SampledFile.read(file, span, missing)).ifPresent(series -> devices.put(device, series));
    }
    if (!byShardmark) {
      return new Resources(system, devices, Optional.empty(), new TreeMap<>());
    }
    return new Resources(
        system,
        devices,
        first(sampled("db_stats.csv", "the database's own figures", span)),
        sampled("client.csv", "what the driver used over time", span));
  }

  private SortedMap<Integer, SampledSeries> sampled(String file, String what, SampledFile.Span span)
      throws IOException {
    return isThere("data/" + file, what)
        ? SampledFile.read(data.resolve(file), span, missing)
        : new TreeMap<>();
  }

  /** Of a file that names no drivers. */
  private static Optional<SampledSeries> first(SortedMap<Integer, SampledSeries> series) {
    return series.values().stream().findFirst();
  }

  private List<Path> deviceFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    if (!Files.isDirectory(data)) {
      return files;
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(data, "{blk,net,sys_info}_*.csv")) {
      for (Path file : found) {
        if (Files.isRegularFile(file)) {
          files.add(file);
        }
      }
    }
    Collections.sort(files);
    return files.subList(0, Math.min(files.size(), MOST_DEVICES));
  }
}
