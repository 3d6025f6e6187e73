package io.shardmark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A load's progress ends at 100 %, once, and only if all is there. */
final class LoadConsoleTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private LoadConsole console() {
    return new LoadConsole(out, out, LoadConsole.Progress.LINES, LoadConsole.Lines.NOTES);
  }

  @ParameterizedTest
  @ValueSource(longs = {900, 1000, 1100})
  void endsAtAHundredPercentWhateverWasExpected(long rows) {
    LoadConsole console = console();
    console.loadStarted(1000);
    console.rowsDone(rows);
    console.loadCompleted();
    console.loadEnded();

    assertThat(lines()).filteredOn(line -> line.contains("100%")).hasSize(1);
    assertThat(lines().get(lines().size() - 1)).contains("100%", rows + "/" + rows);
  }

  @Test
  void aLoadThatFailedDoesNotSayAHundredPercent() {
    LoadConsole console = console();
    console.loadStarted(1000);
    console.rowsDone(1100);
    console.loadEnded();

    assertThat(lines()).isNotEmpty().noneMatch(line -> line.contains("100%"));
  }

  @Test
  void partitionsAreNamedOnlyWhereBenchmarkSqlsLinesAreAskedFor() {
    console().partitionDone(1, "Warehouse      5");
    assertThat(lines()).isEmpty();
    new LoadConsole(out, out, LoadConsole.Progress.LINES, LoadConsole.Lines.ALL)
        .partitionDone(1, "Warehouse      5");
    assertThat(lines()).containsExactly("Worker 001: Loading Warehouse      5 done");
  }
}
