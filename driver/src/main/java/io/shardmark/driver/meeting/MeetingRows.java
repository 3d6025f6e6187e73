package io.shardmark.driver.meeting;

import io.shardmark.driver.meeting.MeetingRow.State;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What several rows say together. Pure. */
final class MeetingRows {
  private MeetingRows() {}

  static @Nullable MeetingRow find(List<MeetingRow> rows, int index) {
    return rows.stream().filter(row -> row.index() == index).findFirst().orElse(null);
  }

  /** The earliest instant at which a driver wants all to end, if one does. */
  static OptionalLong end(List<MeetingRow> rows) {
    return rows.stream()
        .filter(row -> row.endMicros().isPresent())
        .mapToLong(row -> row.endMicros().getAsLong())
        .min();
  }

  /** Those who are not that far, as {@code driver 1, driver 3}. */
  static String namesBefore(List<MeetingRow> rows, State state) {
    return rows.stream()
        .filter(row -> !row.state().isAtLeast(state))
        .map(row -> "driver " + row.index())
        .collect(Collectors.joining(", "));
  }
}
