package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import org.jspecify.annotations.Nullable;

/**
 * What the process that listens at an address of the database, with all that it started, used of
 * the processors in the measurement interval. Null where that cannot be read: on another machine,
 * or of a user whose processes the driver's user may not see.
 *
 * @param role {@code server}, {@code proxy}, {@code shard}, {@code coordinator}, {@code worker}, or
 *     {@code endpoint} for an address of the URL that no node of the database names
 * @param address host and port, or the path of a Unix-domain socket
 * @param contextSwitches of all its threads, those that waited and those that lost their processor
 */
public record ServerProcess(
    String role,
    String address,
    @JsonSetter(nulls = Nulls.SET) @Nullable String program,
    @Nullable Double userSeconds,
    @Nullable Double systemSeconds,
    @Nullable Long contextSwitches) {

  /** One whose context switches nobody counted. */
  public ServerProcess(
      String role,
      String address,
      @Nullable String program,
      @Nullable Double userSeconds,
      @Nullable Double systemSeconds) {
    this(role, address, program, userSeconds, systemSeconds, null);
  }

  /** User and system time; null if it is not known. */
  public @Nullable Double processorSeconds() {
    return userSeconds == null || systemSeconds == null ? null : userSeconds + systemSeconds;
  }
}
