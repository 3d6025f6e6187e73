package io.shardmark.driver.replication;

import io.shardmark.config.PropertyReader;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the properties say of the standbys.
 *
 * @param urls JDBC URLs; empty if they are embedded ones
 */
record StandbySettings(
    List<String> urls, StandbyCommit commit, LogicalApply apply, Duration patience) {
  /** How a logical standby applies large transactions while they still go on. */
  enum LogicalApply {
    UNCHANGED(""),
    /** Once they have committed, one after the other. */
    SERIAL("off"),
    /** By parallel workers, as they come. */
    PARALLEL("parallel");

    /** PG18 sql-createsubscription, streaming. */
    private final String streaming;

    LogicalApply(String streaming) {
      this.streaming = streaming;
    }

    String streaming() {
      return streaming;
    }
  }

  static StandbySettings of(PropertyReader values) {
    List<String> urls =
        values.text(ReplicationKey.STANDBY_CONN).stream()
            .flatMap(text -> Stream.of(text.strip().split("\\s+")))
            .toList();
    for (String url : urls) {
      if (!url.startsWith("jdbc:")) {
        throw values.bad(ReplicationKey.STANDBY_CONN, "a JDBC URL (jdbc:...)");
      }
      if (url.contains("password=")) {
        throw values.bad(
            ReplicationKey.STANDBY_CONN, "a URL without password: the key password is for both");
      }
    }
    return new StandbySettings(
        urls,
        values.constant(ReplicationKey.STANDBY_COMMIT, StandbyCommit.class),
        values.constant(ReplicationKey.LOGICAL_APPLY, LogicalApply.class),
        Duration.ofSeconds(values.integer(ReplicationKey.DRAIN_SECS)));
  }
}
