package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sessions that were open beside the run, what they cost and what they did to it. */
final class IdleSection {
  private IdleSection() {}

  /** Only of a run that had some. */
  static Optional<Section> of(RunData run) {
    IdleSessions idle = run.result().idleSessions();
    if (idle == null) {
      return Optional.empty();
    }
    TableBuilder phases =
        new TableBuilder("The run without and with them; response times from due to done, in ms")
            .text("Phase")
            .number("Seconds", "Successes/s", "Failed", "Mean", "p50", "p90", "p99", "Max");
    idle.phases().forEach(phase -> phases.row(phase(phase)));
    TableBuilder endpoints =
        new TableBuilder("Memory of the processes that listen there, in MB")
            .text("Endpoint")
            .number("Sessions", "Before", "All open", "At the end");
    for (IdleSessions.Endpoint one : idle.endpoints()) {
      endpoints.row(
          one.address(),
          Texts.count(one.sessions()),
          megabytes(one.bytesBefore()),
          megabytes(one.bytesOpened()),
          megabytes(one.bytesAtEnd()));
    }
    List<Block> blocks = new ArrayList<>(List.of(Block.of(phases.build())));
    blocks.add(Block.of(endpoints.build()));
    blocks.add(Block.list(idle.sentences()));
    return Optional.of(
        new Section(
            "idle",
            "Idle sessions",
            "Sessions of PostgreSQL that are logged in beside those of the terminals and hardly"
                + " used. A transaction belongs to the phase in which it ended.",
            blocks));
  }

  private static String[] phase(IdleSessions.Phase phase) {
    Stream<String> figures =
        Stream.of(
            phase.name(),
            Texts.three(phase.seconds()),
            Texts.three(phase.perSecond()),
            Texts.count(phase.errors()));
    Latency millis = phase.latencyMillis();
    Stream<String> latencies =
        millis == null
            ? Stream.generate(() -> Texts.NONE).limit(5)
            : Stream.of(millis.mean(), millis.p50(), millis.p90(), millis.p99(), millis.max())
                .map(Texts::three);
    return Stream.concat(figures, latencies).collect(Collectors.toList()).toArray(String[]::new);
  }

  private static String megabytes(@Nullable Long bytes) {
    return bytes == null ? Texts.NONE : Texts.count(bytes >> 20);
  }
}
