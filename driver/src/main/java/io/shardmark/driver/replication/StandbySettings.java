package io.shardmark.driver.replication;

import io.shardmark.config.PropertyReader;
import java.time.Duration;
import java.util.Optional;

/**
 * What the properties say of the standby.
 *
 * @param url its JDBC URL; empty if it is an embedded one
 */
record StandbySettings(
    Optional<String> url, StandbyCommit commit, LogicalApply apply, Duration patience) {
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
    Optional<String> url = values.text(ReplicationKey.STANDBY_CONN);
    if (url.isPresent() && !url.get().startsWith("jdbc:")) {
      throw values.bad(ReplicationKey.STANDBY_CONN, "a JDBC URL (jdbc:...)");
    }
    if (url.isPresent() && url.get().contains("password=")) {
      throw values.bad(
          ReplicationKey.STANDBY_CONN, "a URL without password: the key password is for both");
    }
    return new StandbySettings(
        url,
        values.constant(ReplicationKey.STANDBY_COMMIT, StandbyCommit.class),
        values.constant(ReplicationKey.LOGICAL_APPLY, LogicalApply.class),
        Duration.ofSeconds(values.integer(ReplicationKey.DRAIN_SECS)));
  }
}
