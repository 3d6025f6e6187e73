package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Deletes decisions that nobody can ask for any more. Belongs to the recovery thread.
 *
 * <p>A decision to abort must outlive its coordinator: one that was stopped between the last
 * PREPARE and the decision, and is found dead and cleaned up, would otherwise come back and commit
 * its anchor alone. Its transaction on the anchor has been open since before the first PREPARE. So
 * an old decision is first noted with the transactions that are open beside it, and deleted in a
 * later run when all of those have ended.
 */
final class DecisionCleaner {
  private final Duration keep;
  private final GidSequence gids;
  private final Map<String, Candidates> noted = new HashMap<>();

  /**
   * @param gids decisions seen
   * @param open virtual transaction ids that were open when they had been seen
   */
  private record Candidates(Set<String> gids, Set<String> open) {}

  DecisionCleaner(Duration keep, GidSequence gids) {
    this.keep = keep;
    this.gids = gids;
  }

  /** Forgets what was noted: a shard is missing, so nobody knows what it has prepared. */
  void skip() {
    noted.clear();
  }

  /**
   * @param shard whose decisions are looked at
   * @param prepared gids that any shard still has prepared, read before
   * @return how many were deleted
   */
  int clean(ShardSession shard, Set<String> prepared) throws SQLException {
    Candidates before = noted.get(shard.name());
    if (before == null) {
      Set<String> old = unused(shard.oldDecisions(keep), prepared);
      if (!old.isEmpty()) {
        noted.put(shard.name(), new Candidates(old, shard.openTransactions()));
      }
      return 0;
    }
    if (!Collections.disjoint(before.open(), shard.openTransactions())) {
      return 0;
    }
    noted.remove(shard.name());
    Set<String> gone = unused(before.gids(), prepared);
    return gone.isEmpty() ? 0 : shard.deleteDecisions(gone);
  }

  private Set<String> unused(Set<String> found, Set<String> prepared) {
    Set<String> unused = new HashSet<>(found);
    unused.removeAll(prepared);
    unused.removeIf(text -> Gid.parse(text).map(gids::isLive).orElse(false));
    return unused;
  }
}
