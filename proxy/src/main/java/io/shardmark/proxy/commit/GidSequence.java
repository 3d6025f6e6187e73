package io.shardmark.proxy.commit;

import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The gids of one run of a proxy, and which of them are still in the hands of a session: recovery
 * leaves those alone. Thread-safe: all event loops draw from it.
 */
public final class GidSequence {
  static final int GIDS_PER_TURN = 64;

  private final long incarnation;
  private final AtomicLong counter = new AtomicLong();
  private final Set<Gid> live = ConcurrentHashMap.newKeySet();

  /** A sequence whose gids no other proxy and no earlier run has ever used. */
  public GidSequence() {
    this(new SecureRandom().nextLong());
  }

  GidSequence(long incarnation) {
    this.incarnation = incarnation;
  }

  /** This run's number, also to distinguish proxies in logs. */
  public long incarnation() {
    return incarnation;
  }

  /**
   * The next gid, whose anchor is one of these shards: the last, then the first and so on in turn,
   * since the anchor has a decision to write, and later to delete, that the others have not.
   * Commits at about the same time have the same anchor, so that they wait for each other in one
   * order. It is live until it is released, before the client of its commit is answered.
   *
   * @throws IllegalArgumentException if it is no shard name
   */
  public Gid next(List<String> writers) {
    long count = counter.getAndIncrement();
    long turn = count / GIDS_PER_TURN + writers.size() - 1;
    Gid gid = new Gid(writers.get((int) (turn % writers.size())), incarnation, count);
    live.add(gid);
    return gid;
  }

  /** No session will say anything about it any more. */
  public void release(Gid gid) {
    live.remove(gid);
  }

  /** Whether a session of this proxy is committing it. */
  public boolean isLive(Gid gid) {
    return live.contains(gid);
  }

  /** Whether this proxy made it and nobody but recovery will finish it. */
  public boolean isAbandoned(Gid gid) {
    return gid.incarnation() == incarnation && !live.contains(gid);
  }
}
