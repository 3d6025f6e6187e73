package io.shardmark.config.proxy;

import java.time.Duration;

/**
 * Where READ ONLY transactions read.
 *
 * @param lagLimit a standby that may show what is older is not read from
 */
public record StandbyReads(ReadSource source, Duration lagLimit) {
  /** From which servers of a shard. */
  public enum ReadSource {
    /** From the primary. */
    PRIMARY,
    /** From a standby; from the primary while none is within the limit. */
    STANDBY,
    /** From both in turns. */
    ANY
  }
}
