package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.Gid;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The gids that sessions of this proxy are committing; recovery leaves them alone. Thread-safe.
 *
 * <p>A session adds its gid before the first PREPARE is sent, and removes it after its last
 * statement has been answered or its connection lost.
 */
public final class LiveTransactions {
  private final long incarnation;
  private final Set<Gid> gids = ConcurrentHashMap.newKeySet();

  /**
   * @param incarnation of this proxy, see {@link io.shardmark.proxy.commit.GidSequence}
   */
  public LiveTransactions(long incarnation) {
    this.incarnation = incarnation;
  }

  public void add(Gid gid) {
    gids.add(gid);
  }

  public void remove(Gid gid) {
    gids.remove(gid);
  }

  /** How many there are now. */
  public int size() {
    return gids.size();
  }

  boolean contains(Gid gid) {
    return gids.contains(gid);
  }

  /** Ours and no longer in the hands of a session: nobody but recovery will finish it. */
  boolean isAbandoned(Gid gid) {
    return gid.incarnation() == incarnation && !gids.contains(gid);
  }
}
