package io.shardmark.driver.compare;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.compare.Observed.OverTime;
import io.shardmark.driver.results.reader.ResultReader;
import io.shardmark.driver.results.reader.SampleDirectories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ObservedTest {
  @TempDir private Path temporary;

  @Test
  void withoutASuccessNoFigureIsThatOfATransaction() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    assertThat(figures(directory))
        .containsEntry("database: commits per transaction", 1.0)
        .containsKeys("driver: processors used", "driver: processor time of a transaction, us");

    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    summary.path("types").forEach(type -> ((ObjectNode) type).put("count", 0).put("errors", 0));
    mapper.writeValue(file.toFile(), summary);
    assertThat(figures(directory))
        .containsKey("driver: processors used")
        .doesNotContainKeys(
            "database: commits per transaction", "driver: processor time of a transaction, us");
  }

  /** As under taskset: the driver may use two. */
  @Test
  void theMachineUsedWhatItsOwnProcessorsWereBusy() throws IOException {
    Path directory = SampleDirectories.ours(temporary);
    String name = "machine of the driver: processor time of a transaction, us";
    double ofTwo = requireNonNull(figures(directory).get(name));

    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    ((ObjectNode) summary.path("client")).put("machineProcessors", 8);
    mapper.writeValue(file.toFile(), summary);
    assertThat(figures(directory)).containsEntry(name, 4 * ofTwo);
  }

  private static Map<String, Double> figures(Path directory) throws IOException {
    return Observed.of(ResultReader.read(directory)).figures();
  }

  @Test
  void widerBucketsHoldAllThatHappenedInTheirTime() {
    OverTime seconds =
        new OverTime(1, List.of(1.0, 3.0, 0.0, 0.0, 5.0), List.of(10.0, 60.0, 0.0, 0.0, 5.0));

    OverTime pairs = seconds.in(2);

    assertThat(pairs.successes()).containsExactly(4.0, 0.0);
    assertThat(pairs.meanMillis()).containsExactly(17.5, Double.NaN);
    assertThat(pairs.per(60)).containsExactly(120.0, 0.0);
  }
}
