package io.shardmark.driver.compare.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.Band;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.History;
import io.shardmark.driver.compare.History.Run;
import io.shardmark.driver.compare.History.Series;
import io.shardmark.driver.compare.MadeRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistoryTest {
  @TempDir private Path nightly;

  /** A run of one minute on that day of November. */
  private void night(int day, int terminals, int perSecond, int latencyMillis) throws IOException {
    Path directory = nightly.resolve("my_result_" + (40 - day));
    MadeRuns.benchmarkSql(directory, 2, terminals, perSecond, latencyMillis);
    Path info = directory.resolve("data/runInfo.csv");
    Files.writeString(
        info, Files.readString(info).replace("2026-11-20", "2026-11-%02d".formatted(day)));
  }

  private History history() throws IOException {
    return History.read(List.of(CompareArgument.parse(nightly.toString())), Optional.empty());
  }

  @Test
  void marksWhatLeftTheBandOfTheRunsBefore() throws IOException {
    for (int day = 1; day <= 8; day++) {
      night(day, 5, 20, 30);
    }
    night(9, 5, 15, 31);
    night(10, 5, 20, 90);
    History history = history();
    Series series = history.series().get(0);

    // The directories are named the other way round: the order is that of the starts.
    assertThat(series.runs())
        .extracting(run -> run.start().substring(0, 10))
        .first()
        .isEqualTo("2026-11-01");
    assertThat(series.runs())
        .extracting(run -> run.left().contains("tpmC"))
        .containsExactly(false, false, false, false, false, false, false, false, true, false);
    Run slower = series.runs().get(8);
    History.HistoryPoint tpmC = slower.of(history.judgedBy().main()).orElseThrow();
    // 60 seconds of 20 or, every fifth second, 19: 1,188 a minute, and one percent around it.
    assertThat(tpmC.usual()).contains(new Band(1188 * 0.99, 1188 * 1.01));
    assertThat(tpmC.value()).isEqualTo(888);
    assertThat(tpmC.side()).isEqualTo(Band.BandSide.BELOW);
    Run later = series.runs().get(9);
    assertThat(later.left()).contains("p90 NEW_ORDER", "p99 NEW_ORDER");
    assertThat(new HistoryPage(history).sentence(series))
        .startsWith("The latest run, of 2026-11-10")
        .contains("p90 New-Order 90 ms", " above usual ");
  }

  @Test
  void runsThatAreNotAlikeStandApart() throws IOException {
    night(1, 5, 20, 30);
    night(2, 5, 20, 30);
    night(3, 10, 20, 30);
    Files.delete(nightly.resolve("my_result_38/run.properties"));
    Files.delete(nightly.resolve("my_result_39/run.properties"));
    History history = history();
    assertThat(history.series())
        .singleElement()
        .satisfies(one -> assertThat(one.runs()).hasSize(2));
    assertThat(history.missing())
        .isNotEmpty()
        .allMatch(text -> text.endsWith("no other run is like it; left out."));
    assertThat(history.lacking())
        .as("files of runs that are in it")
        .noneMatch(text -> text.contains("left out"))
        .anyMatch(text -> text.contains("my_result_38: run.properties is not there"));
    assertThat(new HistoryPage(history).sentence(history.series().get(0))).contains("Too few runs");
  }

  @Test
  void runsOfOneNameWithUnlikeConditionsStandApart() throws IOException {
    for (int day = 1; day <= 4; day++) {
      night(day, 5, 20, 30);
    }
    for (int day = 3; day <= 4; day++) {
      Path properties = nightly.resolve("my_result_" + (40 - day)).resolve("run.properties");
      Files.writeString(
          properties,
          Files.readString(properties).replace("limitTxnsPerMin=0", "limitTxnsPerMin=300"));
    }
    History history =
        History.read(List.of(CompareArgument.parse("job=" + nightly)), Optional.empty());
    assertThat(history.series())
        .hasSize(2)
        .allSatisfy(one -> assertThat(one.runs()).hasSize(2))
        .extracting(Series::system)
        .first()
        .asString()
        .startsWith("job · ");
  }

  /**
   * West of Greenwich it is still the day before; BenchmarkSQL's are in the zone of this machine.
   */
  @Test
  void runsOfSeveralZonesAreInTheOrderOfTheirInstants() throws IOException {
    List<String> starts = List.of("2026-11-02T00:15:00+02:00", "2026-11-01T23:30:00-05:00");
    for (int i = 0; i < 2; i++) {
      Path run = MadeRuns.tpcb(nightly.resolve("run_" + i), 5, 1 + i, "separate");
      Path summary = run.resolve("summary.json");
      String made = "2026-11-0%dT03:00:00Z".formatted(1 + i);
      Files.writeString(summary, Files.readString(summary).replace(made, starts.get(i)));
    }
    assertThat(history().series().get(0).runs()).extracting(Run::start).isEqualTo(starts);
  }

  @Test
  void oneRunHasNoHistory() throws IOException {
    night(1, 5, 20, 30);
    assertThatThrownBy(this::history)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--history: no two runs are of the same system");
  }
}
