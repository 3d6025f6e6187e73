package io.shardmark.driver.repeat;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.config.UsageException;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.html.ComparisonFiles;
import io.shardmark.driver.repeat.Repetition.RepeatedSeries;
import io.shardmark.driver.run.StopSignal;
import io.shardmark.driver.sweep.BuildMode;
import io.shardmark.driver.sweep.Sweep;
import io.shardmark.driver.sweep.SweepArguments;
import io.shardmark.driver.sweep.SweepRequest;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs a repetition, one sweep after the other, and writes its page. What one sweep cannot do does
 * not keep the others from it; the page has what was measured.
 */
public final class RepetitionRun {
  private static final String PAGE = "repeat.html";

  /** Longer than a sweep gives itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Repetition repetition;
  private final RepetitionSize size;
  private final SweepArguments words;
  private final Path root;
  private final Consumer<String> out;
  private final List<CompareArgument> measured = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /** On what a repetition runs. */
  public enum RepetitionSize {
    /** Embedded servers, in minutes. */
    SMALL,
    /** The source's sizes on the servers of a user's properties files. */
    FULL
  }

  /**
   * @param words properties files by the name of the database, or of the row, that they are for,
   *     and keys that win over all others
   * @param root directory of the results: new, empty, or of the same repetition
   */
  public RepetitionRun(
      Repetition repetition,
      RepetitionSize size,
      SweepArguments words,
      Path root,
      Consumer<String> out) {
    this.repetition = repetition;
    this.size = size;
    this.words = words;
    this.root = root;
    this.out = out;
  }

  /**
   * @return true if all that was asked for was measured
   * @throws UsageException if files are missing, or have names that nothing has
   */
  public boolean run(BuildMode build, int repeat) throws IOException, InterruptedException {
    checkFiles();
    Files.createDirectories(root);
    try (StopSignal stop = new StopSignal("repetition", PATIENCE, () -> {})) {
      for (RepeatedSeries series : repetition.series()) {
        List<String> rows = series.rows().isEmpty() ? List.of("") : series.rows();
        for (String row : rows) {
          if (!stop.isAsked()) {
            attempt(series, row, build, repeat);
          }
        }
      }
      boolean complete = failures.isEmpty() && !stop.isAsked();
      failures.forEach(one -> out.accept("WARNING: " + one));
      if (measured.isEmpty()) {
        throw new ConfigException("repeat: nothing was measured");
      }
      out.accept("");
      measured.add(CompareArgument.parse(repetition.source().toString()));
      ComparisonFiles.write(measured, root.resolve(PAGE), Choices.NONE, out)
          .files()
          .forEach(file -> out.accept("Wrote " + file));
      return complete;
    }
  }

  private void checkFiles() {
    List<String> names =
        repetition.series().stream()
            .flatMap(one -> (one.rows().isEmpty() ? one.databases().keySet() : one.rows()).stream())
            .distinct()
            .toList();
    boolean full = size == RepetitionSize.FULL;
    if (full == words.files().isEmpty() || !names.containsAll(words.files().keySet())) {
      throw new UsageException(
          full
              ? "repeat --full: expected a properties file for each of its databases: %s"
                  .formatted(
                      names.stream().map(one -> one + "=PROPS").collect(Collectors.joining(" ")))
              : "repeat --small: starts servers of its own: expected no properties file, or --full");
    }
  }

  /** What fails ends this sweep alone. */
  private void attempt(RepeatedSeries series, String row, BuildMode build, int repeat)
      throws InterruptedException {
    Path directory = root.resolve(series.directory()).resolve(row);
    try {
      sweep(series, row, build, repeat, directory);
    } catch (ConfigException | IOException e) {
      failures.add("%s: %s".formatted(directory, FirstLine.of(e)));
    }
  }

  private void sweep(RepeatedSeries series, String row, BuildMode build, int repeat, Path directory)
      throws IOException, InterruptedException {
    Files.createDirectories(root.resolve(series.directory()));
    List<SweepDatabase> databases = databases(series, row);
    if (databases.isEmpty()) {
      failures.add("%s: no properties file was named for it".formatted(directory));
      return;
    }
    out.accept("%s:".formatted(directory));
    SweepRequest request =
        new SweepRequest(
            databases, series.terminals(), repeat, 0, build, true, words.overrides(), null, 0);
    try {
      if (!new Sweep(request, directory, out).run()) {
        failures.add("%s: not all of it was measured".formatted(directory));
      }
    } finally {
      for (SweepDatabase database : databases) {
        Path results = directory.resolve(database.name());
        if (hasResult(results)) {
          String name = "%s/%s".formatted(series.directory(), database.name());
          measured.add(CompareArgument.of(row.isEmpty() ? name : name + "/" + row, results));
        }
      }
    }
  }

  /**
   * A sweep that was stopped may have left a directory without one, which is nothing to compare.
   */
  private static boolean hasResult(Path results) throws IOException {
    if (!Files.isDirectory(results)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(results)) {
      return files.anyMatch(one -> one.endsWith("summary.json"));
    }
  }

  /** Those that files were named for; of a small repetition all, their files written here. */
  private List<SweepDatabase> databases(RepeatedSeries series, String row) throws IOException {
    List<SweepDatabase> databases = new ArrayList<>();
    for (String name : series.databases().keySet()) {
      Map<String, String> keys = new LinkedHashMap<>(series.keys(name, row));
      Path file = words.files().get(series.rows().isEmpty() ? name : row);
      if (size == RepetitionSize.SMALL) {
        file = root.resolve("props.%s.%s%s".formatted(series.directory(), name, row));
        Files.writeString(
            file,
            keys.entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue())
                .collect(Collectors.joining("\n", "", "\n")));
        keys = new LinkedHashMap<>();
      } else if (file != null) {
        keys.keySet().removeAll(SweepArguments.NOT_HERE);
        keys.putAll(series.full());
      }
      if (file != null) {
        keys.putAll(words.overrides());
        databases.add(SweepDatabase.read(name, file, keys, Map.of()));
      }
    }
    return databases;
  }
}
