package io.shardmark.driver.compare;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FileFault;
import io.shardmark.driver.compare.PublishedFile.PublishedSystem;
import io.shardmark.driver.results.reader.LatencyDistribution;
import io.shardmark.driver.results.reader.ResultReader;
import io.shardmark.driver.results.reader.RunData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns what was named into systems. One directory after the other is read, and of each only its
 * figures are kept.
 */
final class SystemReader {
  private static final int MOST_NAMED = 3;

  private final NamedSystems systems = new NamedSystems();
  private final List<PublishedTable> tables = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();

  private @Nullable Yardstick yardstick;
  private String judged = "";

  /** What has been read, by the path without links. */
  private final Map<Path, Path> directories = new HashMap<>();

  /** Where each sentence of what is missing applies. */
  private final Map<String, List<Path>> missing = new LinkedHashMap<>();

  List<ComparedSystem> read(List<CompareArgument> arguments) throws IOException {
    for (CompareArgument argument : arguments) {
      if (PublishedFile.isPublished(argument.path())) {
        addPublished(argument);
      } else {
        addRuns(argument);
      }
    }
    List<ComparedSystem> built = systems.build();
    if (built.isEmpty()) {
      throw new ConfigException(
          "nothing to compare, no run has transactions: " + String.join(" ", leftOut));
    }
    return built;
  }

  /** A comparison needs two systems or two places. */
  static void requireSeveral(List<CompareArgument> arguments, List<ComparedSystem> built) {
    // A directory of runs is shown whatever it holds: a sweep may have come no further.
    boolean grouped =
        arguments.stream().anyMatch(argument -> !ResultReader.isResult(argument.path()));
    if (!grouped && built.size() == 1 && built.get(0).points().size() == 1) {
      throw new ConfigException(
          built.get(0).runs() == 1
              ? built.get(0).measurements().get(0).source()
                  + ": is one run; expected two or more, or a directory that holds several"
              : "all runs are of %s at %s; expected two systems or two places: name them, NAME=DIR"
                  .formatted(built.get(0).name(), built.get(0).points().get(0).place().text()));
    }
  }

  /** The mean of unlike runs would be a figure of no system. */
  static void requireAlike(List<ComparedSystem> built) {
    for (ComparedSystem system : built) {
      for (ComparedPoint point : system.points()) {
        Measurement first = point.runs().get(0);
        for (Measurement run : point.runs()) {
          SystemKey.of(first)
              .difference(SystemKey.of(run))
              .ifPresent(
                  difference -> {
                    throw new ConfigException(
                        "%s: %s and %s are no repetitions of one run: %s; give them two names, NAME=DIR"
                            .formatted(system.name(), first.source(), run.source(), difference));
                  });
        }
      }
    }
  }

  /** What could not be read, and what single runs lack: a sentence each. */
  List<String> missing() {
    List<String> sentences = new ArrayList<>(leftOut);
    sentences.addAll(lacking());
    return sentences;
  }

  /** What could not be read: a sentence each. */
  List<String> leftOut() {
    return leftOut;
  }

  /** Files that runs do not have, and what is wrong with those that they have. */
  List<String> lacking() {
    List<String> sentences = new ArrayList<>();
    missing.forEach(
        (sentence, paths) -> {
          if (paths.size() > MOST_NAMED) {
            sentences.add("In %d runs: %s".formatted(paths.size(), sentence));
          } else {
            paths.forEach(path -> sentences.add(path + ": " + sentence));
          }
        });
    return sentences;
  }

  /**
   * A run compared with itself shows no difference, whatever was meant.
   *
   * @throws ConfigException if it was there before, perhaps under another name
   */
  private void refuseTwice(Path path) throws IOException {
    Path before = directories.putIfAbsent(path.toRealPath(), path);
    if (before != null) {
      throw new ConfigException(
          before.equals(path)
              ? path + ": is named twice; expected different runs"
              : "%s and %s: are the same run; expected different ones".formatted(before, path));
    }
  }

  private void addPublished(CompareArgument argument) throws IOException {
    refuseTwice(argument.path());
    PublishedFile.Figures figures = PublishedFile.read(argument.path());
    requireLike(figures.yardstick(), argument.path());
    tables.addAll(figures.tables());
    for (PublishedSystem published : figures.systems()) {
      String name = argument.name().map(n -> n + " · " + published.name()).orElse(published.name());
      systems.addPublished(name, published.builder());
    }
  }

  private void addRuns(CompareArgument argument) throws IOException {
    Path path = argument.path();
    boolean single = ResultReader.isResult(path);
    List<ResultDirectories.FoundDirectory> found =
        single
            ? List.of(new ResultDirectories.FoundDirectory(path, ""))
            : ResultDirectories.in(path);
    for (ResultDirectories.FoundDirectory one : found) {
      RunData run;
      try {
        run = ResultReader.read(one.path());
      } catch (IOException e) {
        if (single) {
          throw e;
        }
        leftOut.add(one.path() + ": cannot be read (" + FileFault.message(e) + "); left out.");
        continue;
      } catch (ConfigException e) {
        if (single) {
          throw e;
        }
        leftOut.add(e.getMessage() + "; left out.");
        continue;
      }
      refuseTwice(one.path());
      Optional<Yardstick> own = usable(run, one.path());
      if (own.isPresent()) {
        Map<String, LatencyDistribution> latencies = Measurement.distributions(run);
        Measurement measured = Measurement.of(run, own.get(), one.path().toString(), latencies);
        builder(argument, found, one, measured).add(measured, latencies);
      }
    }
  }

  private SystemBuilder builder(
      CompareArgument argument,
      List<ResultDirectories.FoundDirectory> found,
      ResultDirectories.FoundDirectory one,
      Measurement run) {
    boolean oneName = argument.name().isPresent() && ResultDirectories.tops(found) == 1;
    if (one.folder().isEmpty() || (oneName && !one.folder().contains("/"))) {
      boolean single = one.path().equals(argument.path());
      return argument
          .name()
          .map(systems::named)
          .orElseGet(() -> systems.unnamed(argument.path(), run, single));
    }
    return systems.inFolder(argument, one, run);
  }

  /** What the run is judged by; empty if it has nothing to compare. */
  private Optional<Yardstick> usable(RunData run, Path path) {
    if (run.result().transactionCount() + run.result().failedCount() == 0) {
      leftOut.add(path + ": has no transactions; left out.");
      return Optional.empty();
    }
    Optional<Yardstick> own = Yardstick.of(run);
    if (own.isEmpty()) {
      leftOut.add(path + ": has no summary.json with its benchmark's metrics; left out.");
      return own;
    }
    requireLike(own.get(), path);
    // That nothing was distributed is no gap in what is compared.
    run.missing().stream()
        .filter(sentence -> !sentence.startsWith("No transaction touched"))
        .forEach(sentence -> missing.computeIfAbsent(sentence, key -> new ArrayList<>()).add(path));
    return own;
  }

  /**
   * Figures of different benchmarks cannot be compared.
   *
   * @throws ConfigException if what was read before is judged by another metric
   */
  private void requireLike(Yardstick own, Path path) {
    Yardstick before = yardstick;
    if (before == null) {
      yardstick = own;
      judged = path.toString();
      return;
    }
    Optional<Yardstick> both = before.with(own);
    if (both.isEmpty()) {
      throw new ConfigException(
          "%s: is a run of %s, judged by %s, but %s is one of %s, judged by %s; expected runs of one benchmark"
              .formatted(
                  path,
                  own.benchmark(),
                  own.mainBeside(before),
                  judged,
                  before.benchmark(),
                  before.mainBeside(own)));
    }
    yardstick = both.get();
  }

  /** The tables of what was published, without own figures. */
  List<PublishedTable> tables() {
    return tables;
  }

  /** What all runs are judged by. Only after {@link #read}. */
  Yardstick yardstick() {
    return Objects.requireNonNull(yardstick, "nothing was read");
  }
}
