package io.shardmark.driver.meeting;

import io.shardmark.driver.meeting.MeetingRow.State;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes of a row, and what several say together. Pure. */
final class MeetingRows {
  private MeetingRows() {}

  static MeetingRow beat(MeetingRow row) {
    return with(row, row.state(), row.beat() + 1, row.note(), row.startMicros(), row.endMicros());
  }

  static MeetingRow state(MeetingRow row, State state, String note) {
    return with(row, state, row.beat(), note, row.startMicros(), row.endMicros());
  }

  static MeetingRow start(MeetingRow row, long micros) {
    return with(
        row, State.STARTED, row.beat(), row.note(), OptionalLong.of(micros), row.endMicros());
  }

  static MeetingRow end(MeetingRow row, long micros, String note) {
    return with(row, row.state(), row.beat(), note, row.startMicros(), OptionalLong.of(micros));
  }

  private static MeetingRow with(
      MeetingRow row, State state, long beat, String note, OptionalLong start, OptionalLong end) {
    return new MeetingRow(
        row.group(), row.index(), row.drivers(), state, beat, row.about(), note, start, end);
  }

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
