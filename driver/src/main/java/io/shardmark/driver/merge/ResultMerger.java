package io.shardmark.driver.merge;

import static java.util.Objects.requireNonNull;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ResultRows;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.judge.Threshold;
import io.shardmark.driver.judge.Thresholds;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.recorder.ResultBuilder;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.recorder.ResultFiles;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.reader.CsvRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes one result directory from those of several drivers.
 *
 * @param into made for this, or for driver 0 at its start; has none of the files yet
 * @param warn receives one line for each thing that is missing
 */
public record ResultMerger(PartSet set, ResultDirectory into, Consumer<String> warn) {
  /**
   * Merges.
   *
   * @param lost drivers whose results are missing, as far as something is known of them; the others
   *     that are missing are added
   * @return the run of all drivers
   * @throws ConfigException if a file is not as a driver writes it
   * @throws IOException if a file cannot be read or written
   */
  public RunResult merge(List<Drivers.Lost> lost) throws IOException {
    Path first = set.first().directory();
    BenchmarkProperties properties = properties(first.resolve("run.properties"));
    Settings whole = Settings.whole(Benchmarks.of(properties), properties);
    List<Threshold> failOn =
        Thresholds.parse(
            properties.result().failOn().orElse(Thresholds.DEFAULT),
            set.first().typeNames(),
            set.first().totals().metrics().stream().map(MetricRule::name).toList());
    RunStatistics statistics =
        RunStatistics.sum(set.parts().stream().map(part -> part.totals().statistics()).toList());
    RunResult result =
        ResultBuilder.of(
            new MergedSummary(set, lost).of(whole, statistics),
            set.first().totals().metrics(),
            failOn,
            statistics);
    mergeFiles(statistics);
    ObservedMerge.merge(set, into, warn);
    into.writeRunProperties(
        Files.readString(first.resolve("run.properties"), StandardCharsets.ISO_8859_1));
    writeRunInfo(first.resolve("data/runInfo.csv"), whole.run());
    into.writeSummary(result, statistics);
    requireNonNull(result.drivers()).lost().forEach(this::warnOfLost);
    return result;
  }

  private void warnOfLost(Drivers.Lost lost) {
    warn.accept("driver %d is missing from the result: %s".formatted(lost.index(), lost.reason()));
  }

  private static BenchmarkProperties properties(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ConfigException(file + ": no such file: expected the properties of the run");
    }
    return BenchmarkProperties.parse(
        Benchmarks.KEYS, file, Files.readString(file, StandardCharsets.ISO_8859_1), Map.of());
  }

  private void mergeFiles(RunStatistics statistics) throws IOException {
    List<String> types = set.first().typeNames();
    ResultFiles files =
        ResultFiles.open(
            into,
            new ResultFiles.FileLayout(
                set.first().result().run().id(),
                statistics.types().stream().map(TypeStatistics::type).toList(),
                ResultRows.ALL,
                1),
            warn);
    SecondMerge.merge(set, types, files, warn);
    ErrorMerge.merge(set, types, files);
    MergedRows.forEach(set, "result.csv", "elapsed", row -> files.row(row.csv.row()));
    files.close();
    if (files.failure().isPresent()) {
      throw new IOException("%s: %s".formatted(into.root(), files.failure().get()));
    }
  }

  /** Driver 0's row with the terminals of all. */
  private void writeRunInfo(Path file, RunConfig whole) throws IOException {
    try (CsvRows info = CsvRows.openWhole(file)) {
      if (!info.next()) {
        warn.accept(file + ": has no row");
        return;
      }
      List<String> fields = new ArrayList<>(info.fields());
      fields.set(info.column("numSUTThreads"), Integer.toString(whole.terminals()));
      fields.set(
          info.column("limitTxnsPerMin"), Integer.toString(whole.pacing().limitTxnsPerMin()));
      into.write(
          "data/runInfo.csv",
          String.join(",", info.header()) + "\n" + String.join(",", fields) + "\n");
    }
  }
}
