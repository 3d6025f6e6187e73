package io.shardmark.driver.results.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.reader.RunData.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultReaderTest {
  private static final String HEADER = "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error\n";

  @TempDir private Path temporary;

  @Test
  void readsOurDirectoryFromItsBestSources() throws IOException {
    RunData run = ResultReader.read(SampleDirectories.ours(temporary));
    assertThat(run.origin()).isEqualTo(Origin.SHARDMARK);
    assertThat(run.result().interval().seconds()).isEqualTo(60);
    assertThat(run.allRows()).isTrue();
    TypeData newOrder = run.types().get(0);
    assertThat(newOrder.result().count()).isEqualTo(21);
    assertThat(newOrder.result().rolledBack()).isEqualTo(1);
    assertThat(newOrder.result().errors()).isEqualTo(1);
    assertThat(newOrder.inRows().quantileType7Millis(0.9)).isCloseTo(18.1, within(0.05));
    assertThat(run.result().headlinePerMinute()).isEqualTo(20);
    assertThat(run.result().dueMillis()).isPresent();
    assertThat(run.result().audit()).isNotEmpty();
    assertThat(run.timeline().lines()).as("of the types that occurred").hasSize(5);
    assertThat(run.heatMap().cells()).isNotEmpty();
  }

  @Test
  void theSameRowsGiveTheSameTableWhoeverWroteThem() throws IOException {
    Path ours = SampleDirectories.ours(temporary);
    String rows = Files.readString(ours.resolve("data/result.csv"));
    RunData other =
        ResultReader.read(
            SampleDirectories.benchmarkSql(temporary, rows + "1,60000,0,0,DELIVERY_BG,0,0,0\n"));
    RunData same = ResultReader.read(ours);
    assertThat(other.origin()).isEqualTo(Origin.BENCHMARKSQL);
    // All rows but those of the type that got one more, so that the interval is a minute.
    assertThat(table(other)).isEqualTo(table(same));
    assertThat(other.result().headlinePerMinute()).isEqualTo(same.result().headlinePerMinute());
  }

  private static List<List<?>> table(RunData run) {
    List<List<?>> rows = new ArrayList<>();
    for (TypeData type : run.types()) {
      TypeResult result = type.result();
      if (result.counted()) {
        rows.add(
            Arrays.asList(
                type.name(),
                result.count(),
                result.rolledBack(),
                result.errors(),
                result.skipped(),
                result.mixPercent(),
                type.inRows().figures(),
                type.inRows().quantileType7Millis(0.9)));
      }
    }
    return rows;
  }

  @Test
  void usesRsQuantileAndBenchmarkSqlsRates() throws IOException {
    StringBuilder csv = new StringBuilder(HEADER);
    for (int i = 1; i <= 10; i++) {
      csv.append("1,%d,%d,%d,NEW_ORDER,%d,0,0\n".formatted(i * 6000, i, i, i == 1 ? 1 : 0));
    }
    RunData run = ResultReader.read(SampleDirectories.benchmarkSql(temporary, csv.toString()));
    TypeData row = run.types().get(0);
    assertThat(row.inRows().quantileType7Millis(0.9)).isEqualTo(9.1);
    assertThat(row.inRows().meanMillis()).isEqualTo(5.5);
    assertThat(row.inRows().maxMillis()).isEqualTo(10);
    assertThat(row.result().mixPercent()).isEqualTo(100);
    assertThat(run.result().headlinePerMinute()).isEqualTo(10);
    assertThat(run.percentOfLimit().orElseThrow()).isCloseTo(10 / 2.0 / 0.1286, within(1e-9));
    assertThat(run.missing()).anyMatch(s -> s.startsWith("Never occurred: PAYMENT"));
  }

  @Test
  void masksThePasswordThatBenchmarkSqlKept() throws IOException {
    RunData run = ResultReader.read(SampleDirectories.benchmarkSql(temporary, HEADER));
    assertThat(run.properties().maskedText()).contains("password=****").doesNotContain("PWbmsql");
  }

  @Test
  void readsWhatAKilledRunLeft() throws IOException {
    Path ours = SampleDirectories.ours(temporary);
    Files.delete(ours.resolve("summary.json"));
    Files.writeString(
        ours.resolve("data/result.csv"), "1,20,5,5,NEW_OR", StandardOpenOption.APPEND);
    RunData run = ResultReader.read(ours);
    assertThat(run.types().get(0).result().count()).isEqualTo(21);
    assertThat(run.missing())
        .anyMatch(s -> s.startsWith("summary.json is not there"))
        .anyMatch(s -> s.startsWith("data/result.csv ends in the middle of a line"));
  }

  @Test
  void leavesOutLinesThatAreNoRows() throws IOException {
    String csv =
        HEADER
            + "1,10,5,5,NEW_ORDER,0,0,0\n"
            + "Traceback (most recent call last):\n"
            + "1,x,5,5,NEW_ORDER,0,0,0\n"
            + "1,-5,5,5,NEW_ORDER,0,0,0\n"
            + "\n"
            + "1,99999999999999999999,5,5,NEW_ORDER,0,0,0\n"
            + "1,20,-3,-3,NEW_ORDER,0,0,0\r\n"
            + "1,30,5,5,<script>alert(1)</script>,0,0,0\n"
            + "9,".repeat(70_000)
            + "\n1,40,5,5,PAYMENT,0,0,0\n";
    RunData run = ResultReader.read(SampleDirectories.benchmarkSql(temporary, csv));
    assertThat(run.types().get(0).result().count()).isEqualTo(2);
    assertThat(run.types().get(1).result().count()).isEqualTo(1);
    assertThat(run.types()).hasSize(7);
    assertThat(run.missing()).anyMatch(s -> s.startsWith("data/result.csv: 6 lines are no rows"));
  }

  @Test
  void anEmptyDirectoryIsARunThatLeftNothing() throws IOException {
    RunData run = ResultReader.read(Files.createDirectory(temporary.resolve("empty")));
    assertThat(run.result().transactionCount()).isZero();
    assertThat(run.missing()).hasSizeGreaterThan(3);
  }

  @Test
  void refusesWhatIsNoResult() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "x");
    assertThatThrownBy(() -> ResultReader.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("is a file, expected a result directory");
    assertThatThrownBy(() -> ResultReader.read(temporary.resolve("nowhere")))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("no such result directory");
    assertThatThrownBy(() -> ResultReader.read(temporary))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is no result directory");
  }

  @Test
  void aLongRunHasWiderBucketsAndLosesNothing() throws IOException {
    StringBuilder csv = new StringBuilder(HEADER);
    int rows = 5000;
    for (int i = 0; i < rows; i++) {
      csv.append("1,%d,%d,1,PAYMENT,0,0,0\n".formatted(i * 10_000L, i % 100));
    }
    Path directory = SampleDirectories.benchmarkSql(temporary, csv.toString());
    Files.delete(directory.resolve("data/runInfo.csv"));
    RunData run = ResultReader.read(directory);
    Timeline.TimeLine line = run.timeline().lines().get(0);
    assertThat(run.timeline().lines().stream().mapToInt(l -> l.successes().size()))
        .allMatch(size -> size <= TimelineBuilder.MOST);
    assertThat(
            run.timeline().lines().stream()
                .flatMap(l -> l.successes().stream())
                .mapToLong(Long::longValue)
                .sum())
        .isBetween(rows - 1L, (long) rows);
    assertThat(line.mean()).isNotNull();
    assertThat(run.heatMap().columns()).isLessThanOrEqualTo(BucketHistograms.MOST);
  }
}
