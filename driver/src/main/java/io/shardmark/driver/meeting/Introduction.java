package io.shardmark.driver.meeting;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/**
 * The text in which a driver introduces itself.
 *
 * @param identity of the driver
 * @param terms only of driver 0
 */
record Introduction(DriverIdentity identity, @Nullable GroupTerms terms) {
  private static final ObjectMapper JSON = new ObjectMapper();

  String toText() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static Introduction of(MeetingRow row) {
    try {
      return JSON.readValue(row.about(), Introduction.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "the row of driver %d in %s cannot be read: %s"
              .formatted(row.index(), MeetingTable.NAME, e.getOriginalMessage()),
          e);
    }
  }
}
