package io.shardmark.driver.report;

import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.TypeResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The last run before this one with the same properties file, if its directory is in the same
 * directory.
 *
 * @param name of its directory
 */
record PreviousRun(String name, RunResult result) {
  /** In a directory with more entries nobody looks. */
  private static final int MOST_ENTRIES = 500;

  private static final String PROPERTIES = "run.properties";

  /** Empty if there is none, or what is there cannot be read. */
  static Optional<PreviousRun> of(Path directory, RunResult run) {
    Path parent = directory.toAbsolutePath().normalize().getParent();
    if (parent == null || run.run().sessionStart().isEmpty()) {
      return Optional.empty();
    }
    try (Stream<Path> listed = Files.list(parent)) {
      List<Path> entries = listed.limit(MOST_ENTRIES + 1L).toList();
      if (entries.size() > MOST_ENTRIES) {
        return Optional.empty();
      }
      String properties = properties(directory);
      List<PreviousRun> before = new ArrayList<>();
      for (Path other : entries.stream().filter(path -> isLike(path, properties)).toList()) {
        SummaryFile.read(other, new ArrayList<>())
            .filter(one -> start(one).isBefore(start(run)))
            .ifPresent(
                one -> before.add(new PreviousRun(String.valueOf(other.getFileName()), one)));
      }
      return before.stream().max(Comparator.comparing(one -> start(one.result)));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // a report does not need it
    }
  }

  private static Instant start(RunResult run) {
    return OffsetDateTime.parse(run.run().sessionStart()).toInstant();
  }

  private static String properties(Path directory) throws IOException {
    return Files.readString(directory.resolve(PROPERTIES));
  }

  private static boolean isLike(Path directory, String properties) {
    Path file = directory.resolve(PROPERTIES);
    try {
      return Files.isRegularFile(file)
          && Files.size(file) < 1 << 20
          && properties(directory).equals(properties);
    } catch (IOException e) {
      return false;
    }
  }

  /** {@code tps 3.2 % more, p99 update 12 % longer}; empty if nothing can be compared. */
  String changes(RunResult now) {
    List<String> changes = new ArrayList<>();
    for (Metric metric : now.metrics()) {
      result
          .metric(metric.name())
          .ifPresent(
              before ->
                  add(changes, metric.name(), metric.value(), before.value(), "more", "less"));
    }
    for (TypeResult type : now.types()) {
      Optional<Double> own = p99(type);
      Optional<Double> before =
          result.types().stream()
              .filter(one -> type.headline() && one.name().equals(type.name()))
              .findFirst()
              .flatMap(PreviousRun::p99);
      if (own.isPresent() && before.isPresent()) {
        add(changes, "p99 " + type.name(), own.get(), before.get(), "longer", "shorter");
      }
    }
    return String.join(", ", changes);
  }

  private static Optional<Double> p99(TypeResult type) {
    return type.latencyMillis()
        .of(Scope.ALL, LatencyKind.DUE)
        .filter(due -> due.count() > 0 && !LatencyFigure.P99.isLowerBound(due))
        .map(Latency::p99);
  }

  private static void add(
      List<String> to, String name, double now, double before, String more, String less) {
    double change = now / before - 1;
    if (Double.isFinite(change)) {
      to.add(name + " " + Texts.percent(Math.abs(change)) + " " + (change < 0 ? less : more));
    }
  }
}
