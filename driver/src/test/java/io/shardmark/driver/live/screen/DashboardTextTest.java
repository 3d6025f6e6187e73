package io.shardmark.driver.live.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.live.WatchedRun;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DashboardTextTest {
  private final WatchedRun watched = new WatchedRun();

  private List<String> lines(int columns, int rows, Glyphs glyphs, List<String> log) {
    return DashboardText.lines(watched.run(), new DashboardText.Screen(columns, rows, glyphs), log)
        .stream()
        .map(AttributedString::toString)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"80, 24", "81, 25", "132, 43", "300, 100", "20, 5", "1, 1", "79, 24", "80, 23"})
  void fillsTheScreenAndNoMore(int columns, int rows) {
    watched.second();
    watched.fail(300);
    List<String> log = IntStream.range(0, 200).mapToObj(i -> "line " + i).toList();

    List<String> lines = lines(columns, rows, Glyphs.UNICODE, log);

    assertThat(lines).hasSize(rows).allMatch(line -> line.length() <= columns);
  }

  @Test
  void showsTypesErrorsWaitsAndTheNewestLines() {
    watched.second();
    watched.fail(3);
    String screen = String.join("\n", lines(80, 24, Glyphs.UNICODE, List.of("old", "a warning")));

    assertThat(screen)
        .contains("TPC-C on postgres · 2 warehouses · 8 terminals")
        .containsPattern("NEW_ORDER +100 +6,000 +2\\.000 +2\\.000 +2\\.000 +2\\.000 +0 +0")
        .containsPattern("DELIVERY_BG +0 +0 ")
        .contains("3 x DEADLOCK 40P01 in NEW_ORDER: deadlock detected")
        .contains("connections 3 in use, 1 idle, 2 waiting")
        .contains("s1 75.0 %", "s2 25.0 %")
        .contains("a warning", "Ctrl-C ends the run");
  }

  @Test
  void anotherBenchmarkHasItsOwnRatesAndScale() {
    WatchedRun other = WatchedRun.ofOperations();
    other.second();
    String screen =
        DashboardText.lines(
                other.run(), new DashboardText.Screen(80, 24, Glyphs.UNICODE), List.of())
            .stream()
            .map(AttributedString::toString)
            .collect(Collectors.joining("\n"));

    assertThat(screen)
        .contains("other on postgres · 1 branch · 8 terminals")
        .containsPattern("tps +[0-9.]+  average +100\\.0 ")
        .containsPattern("qps +[0-9.]+  average +2,000\\.0 ")
        .doesNotContain("tpm", "arehouse");
  }

  @Test
  void asciiTerminalsGetNothingElse() {
    watched.second();
    String screen = String.join("\n", lines(80, 24, Glyphs.ASCII, List.of()));

    assertThat(screen).matches("[\\x20-\\x7e\\n]*").contains("TPC-C on postgres | 2 warehouses");
  }

  @Test
  void aWindowMadeTooSmallShowsTheMost() {
    assertThat(lines(60, 10, Glyphs.UNICODE, List.of()))
        .anyMatch(line -> line.startsWith("tpmC "))
        .anyMatch(line -> line.contains("80 x 24"));
  }
}
