package io.shardmark.driver.compare.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.MadeRuns;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.reader.ResultReader;
import io.shardmark.driver.results.reader.RunData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingSupplier;
import org.junit.jupiter.api.io.TempDir;

/**
 * People hand result directories around and edit them. Of one that is damaged a page comes out, or
 * one line says what is wrong. {@code -Ddamages=100000} looks longer, {@code -Ddamages.seed=N}
 * repeats one.
 */
final class DamagedDirectoriesTest {
  private static final int DAMAGES = Integer.getInteger("damages", 40);
  private static final long SEED = Long.getLong("damages.seed", 20261127);

  /** Of a page; a run that takes longer hangs. */
  private static final Duration MOST = Duration.ofSeconds(20);

  @TempDir private Path temporary;

  private final Map<String, Path> whole = new LinkedHashMap<>();

  private void make() throws IOException {
    whole.put("ours", MadeRuns.ours(temporary.resolve("whole-ours")));
    Path full = MadeRuns.ours(temporary.resolve("whole-full"));
    List<String> missing = new ArrayList<>();
    Files.writeString(
        full.resolve(SummaryFile.NAME),
        SummaryFile.text(MadeRun.full(SummaryFile.read(full, missing).orElseThrow())));
    whole.put("full", full);
    whole.put("tpcb", MadeRuns.tpcb(temporary.resolve("whole-tpcb"), 3, 1, "simple"));
    whole.put("theirs", MadeRuns.benchmarkSql(temporary.resolve("whole-theirs"), 2, 10, 3, 20));
    Path killed = MadeRuns.ours(temporary.resolve("whole-killed"));
    Files.delete(killed.resolve(SummaryFile.NAME));
    whole.put("killed", killed);
    Path kept = Path.of("..", "results");
    whole.put("old", Path.of("src/test/resources/io/shardmark/driver/compare/html/old-run"));
    whole.put("shards", kept.resolve("systems-2026-11-23/default/proxy/t0005-r1"));
    Path idle = Files.createDirectory(temporary.resolve("whole-idle"));
    Files.copy(
        kept.resolve("idle-2026-11-23").resolve(SummaryFile.NAME), idle.resolve(SummaryFile.NAME));
    whole.put("idle", idle);
    whole.put("published", kept.resolve("published-klustron-2023"));
    Path sweep = Files.createDirectories(temporary.resolve("whole-sweep"));
    Files.copy(kept.resolve("sweep-2026-11-21-evening/sweep.json"), sweep.resolve("sweep.json"));
    copy(wholeOf("shards"), sweep.resolve("single"));
    copy(wholeOf("ours"), sweep.resolve("demo"));
    whole.put("sweep", sweep);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  @Test
  void ofADamagedDirectoryComesAPageOrOneLine() throws IOException {
    make();
    List<String> names = List.copyOf(whole.keySet());
    List<AssertionError> failures = new ArrayList<>();
    for (long seed = SEED; seed < SEED + DAMAGES; seed++) {
      Random random = new Random(seed);
      String name = names.get(random.nextInt(names.size()));
      Path damaged = temporary.resolve("damaged");
      copy(wholeOf(name), damaged);
      Damage damage = new Damage(random);
      for (int i = 0; i <= random.nextInt(3); i++) {
        damage.to(damaged);
      }
      String told = "damages.seed=%d (%s): %s".formatted(seed, name, damage);
      try {
        look(told, damaged, wholeOf(name), random.nextInt(4));
      } catch (AssertionError e) {
        failures.add(e);
      }
      delete(damaged);
    }
    assertThat(failures).isEmpty();
  }

  private Path wholeOf(String name) {
    return Objects.requireNonNull(whole.get(name));
  }

  private void look(String told, Path damaged, Path beside, int verb) {
    List<CompareArgument> both =
        List.of(CompareArgument.of("a", beside), CompareArgument.of("b", damaged));
    List<CompareArgument> repeated =
        List.of(CompareArgument.of("a", beside), CompareArgument.of("a", damaged));
    sound(
        told,
        switch (verb) {
          case 0 -> () -> ComparisonFiles.write(both, page("compare"), Choices.NONE, line -> {});
          case 1 ->
              () ->
                  ComparisonFiles.writeHistory(
                      repeated, page("history"), Optional.empty(), line -> {});
          default -> () -> HtmlReport.write(read(damaged), damaged);
        });
  }

  private Path page(String name) {
    return temporary.resolve(name + ".html");
  }

  private static RunData read(Path directory) throws IOException {
    RunData run = ResultReader.read(directory);
    assertThat(run.missing()).allMatch(DamagedDirectoriesTest::isForPeople);
    return run;
  }

  private static void sound(String told, ThrowingSupplier<Object> work) {
    Throwable thrown = catchThrowable(() -> Assertions.assertTimeoutPreemptively(MOST, work, told));
    if (thrown != null) {
      assertThat(thrown).as(told).isInstanceOf(ConfigException.class);
      assertThat(thrown.getMessage()).isNotBlank().matches(DamagedDirectoriesTest::isForPeople);
    }
  }

  /** One line, and no names of classes. */
  private static boolean isForPeople(String line) {
    return line.lines().count() == 1
        && !line.matches("(?s).*(java\\.|shardmark\\.driver|Exception).*");
  }

  private static void delete(Path directory) throws IOException {
    List<Path> paths;
    try (Stream<Path> found = Files.walk(directory)) {
      paths = new ArrayList<>(found.toList());
    }
    Collections.reverse(paths);
    for (Path path : paths) {
      Files.delete(path);
    }
  }
}
