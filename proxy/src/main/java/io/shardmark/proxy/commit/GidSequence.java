package io.shardmark.proxy.commit;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The gids of one run of a proxy. Thread-safe: all event loops draw from it. */
public final class GidSequence {
  private final long incarnation;
  private final AtomicLong counter = new AtomicLong();

  /** A sequence whose gids no other proxy and no earlier run has ever used. */
  public GidSequence() {
    this(new SecureRandom().nextLong());
  }

  GidSequence(long incarnation) {
    this.incarnation = incarnation;
  }

  /** This run's number, also for telling proxies apart in logs. */
  public long incarnation() {
    return incarnation;
  }

  /**
   * The next gid, for a transaction whose decision is that shard's commit.
   *
   * @throws IllegalArgumentException if it is no shard name
   */
  public Gid next(String anchor) {
    return new Gid(anchor, incarnation, counter.getAndIncrement());
  }
}
