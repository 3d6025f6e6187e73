package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.List;
import java.util.Optional;
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
    Columns<IdleSessions.Phase> phases =
        new Columns<IdleSessions.Phase>()
            .text("Phase", IdleSessions.Phase::name)
            .number("Seconds", phase -> Texts.three(phase.seconds()))
            .number("Successes/s", phase -> Texts.three(phase.perSecond()))
            .number("Failed", phase -> Texts.count(phase.errors()))
            .latencies(IdleSessions.Phase::latencyMillis, LatencyFigure.SOME);
    Columns<IdleSessions.Endpoint> endpoints =
        new Columns<IdleSessions.Endpoint>()
            .text("Endpoint", IdleSessions.Endpoint::address)
            .number("Sessions", one -> Texts.count(one.sessions()))
            .number("Before", one -> megabytes(one.bytesBefore()))
            .number("All open", one -> megabytes(one.bytesOpened()))
            .number("At the end", one -> megabytes(one.bytesAtEnd()));
    return Optional.of(
        new Section(
            "idle",
            "Idle sessions",
            "Sessions of PostgreSQL that are logged in beside those of the terminals and hardly"
                + " used. A transaction belongs to the phase in which it ended.",
            List.of(
                Block.of(
                    phases.table(
                        "The run without and with them; response times from due to done, in ms",
                        idle.phases())),
                Block.of(
                    endpoints.table(
                        "Memory of the processes that listen there, in MB", idle.endpoints())),
                Block.list(idle.sentences()))));
  }

  private static String megabytes(@Nullable Long bytes) {
    return bytes == null ? Texts.NONE : Texts.count(bytes >> 20);
  }
}
