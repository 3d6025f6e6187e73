package io.shardmark.driver.meeting;

import io.shardmark.config.DriversConfig;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What driver 0 decides before the start: whether all have come and fit together, and when they
 * start. Knows no clock and no table; not safe for several threads.
 *
 * @param roster with driver 0 in it
 * @param info receives a line for each driver that joins, and for the start
 */
record Conductor(DriversConfig config, Roster roster, Consumer<String> info) {
  /** From setting the start to the start: enough to be read by all, and to make terminals. */
  static final long START_LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(2000);

  /**
   * What driver 0 says next; its row as it is if that is nothing new.
   *
   * @param silent those that have just been found to be lost
   * @param overdue whether what driver 0 waits for should have happened by now
   * @param startMicros asked, if all are ready, when they start
   */
  MeetingRow next(
      MeetingRow own,
      List<MeetingRow> rows,
      List<MeetingRow> silent,
      boolean overdue,
      LongSupplier startMicros) {
    Optional<String> fault = fault(rows, silent);
    if (fault.isPresent()) {
      return own.state() == MeetingRow.MeetingState.REFUSED
          ? own
          : own.with(MeetingRow.MeetingState.REFUSED, fault.get());
    }
    return switch (own.state()) {
      case JOINED -> gather(own, rows, overdue);
      case COMPLETE, READY -> {
        if (own.state() == MeetingRow.MeetingState.READY
            && rows.stream()
                .allMatch(row -> row.state().isAtLeast(MeetingRow.MeetingState.READY))) {
          info.accept(
              "All %d drivers are ready and start in %.1f s"
                  .formatted(rows.size(), START_LEAD_NANOS / 1e9));
          yield own.started(startMicros.getAsLong());
        }
        yield overdue ? late(own, namesBeforeReady(rows) + " did not get ready") : own;
      }
      case STARTED, DONE, LEFT, REFUSED -> own;
    };
  }

  /** As {@code driver 1, driver 3}. */
  private static String namesBeforeReady(List<MeetingRow> rows) {
    return rows.stream()
        .filter(row -> !row.state().isAtLeast(MeetingRow.MeetingState.READY))
        .map(row -> "driver " + row.index())
        .collect(Collectors.joining(", "));
  }

  private static Optional<String> fault(List<MeetingRow> rows, List<MeetingRow> silent) {
    Stream<String> refusals =
        rows.stream()
            .filter(row -> row.index() != 0 && row.state() == MeetingRow.MeetingState.REFUSED)
            .map(row -> row.name() + ": " + row.status().note());
    Stream<String> losses = silent.stream().map(row -> row.name() + " was lost before the start");
    return Stream.concat(refusals, losses).findFirst();
  }

  private MeetingRow late(MeetingRow own, String what) {
    return own.with(
        MeetingRow.MeetingState.REFUSED,
        "%s within %d s (driverWaitSecs)".formatted(what, config.patience().toSeconds()));
  }

  private MeetingRow gather(MeetingRow own, List<MeetingRow> rows, boolean overdue) {
    for (MeetingRow row : rows) {
      DriverIdentity identity = row.about().identity();
      if (!roster.has(identity)) {
        Optional<String> why = roster.join(identity);
        if (why.isPresent()) {
          return own.with(MeetingRow.MeetingState.REFUSED, identity.name() + " " + why.get());
        }
        info.accept(
            "%s has joined: %d of %d".formatted(identity.name(), roster.size(), config.count()));
      }
    }
    if (roster.isComplete()) {
      return roster
          .gap()
          .map(gap -> own.with(MeetingRow.MeetingState.REFUSED, gap))
          .orElseGet(() -> own.with(MeetingRow.MeetingState.COMPLETE, ""));
    }
    return overdue ? late(own, roster.absent() + " did not join") : own;
  }
}
