package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.GidSequence;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes decisions that nobody can ask for any more. For one thread at a time.
 *
 * <p>A decision to abort must outlive its coordinator: one that was stopped between the last
 * PREPARE and the decision, and is found dead and cleaned up, would otherwise come back and commit
 * its anchor alone. Its transaction on the anchor has been open since before the first PREPARE. So
 * an old decision is first noted with the transactions that are open meanwhile, and deleted in a
 * later run when all of those have ended.
 *
 * <p>A proxy whose configuration lacks a shard that counts cannot see what that has prepared, which
 * needs its decision however old that is: it deletes none.
 */
final class DecisionCleaner {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionCleaner.class);

  private final RecoveryOptions options;
  private final GidSequence gids;
  private final Map<String, Candidates> noted = new HashMap<>();

  /**
   * @param gids decisions seen
   * @param open virtual transaction ids that were open when they had been seen
   */
  private record Candidates(Set<String> gids, Set<String> open) {}

  DecisionCleaner(RecoveryOptions options, GidSequence gids) {
    this.options = options;
    this.gids = gids;
  }

  /**
   * Looks at all shards once. Blocks.
   *
   * @return how many decisions were deleted
   */
  int run(List<ShardAccess> shards) {
    List<ShardSession> sessions = new ArrayList<>();
    try {
      for (ShardAccess shard : shards) {
        sessions.add(ShardSession.open(shard, options.lockLimit()));
      }
      Set<String> prepared = new HashSet<>();
      for (ShardSession session : sessions) {
        for (ShardSession.Prepared one : session.prepared()) {
          Gid.parsePrepared(one.name()).ifPresent(name -> prepared.add(name.gid().text()));
        }
      }
      Set<String> known = new HashSet<>();
      sessions.forEach(session -> known.add(session.name()));
      if (!known.containsAll(ShardSql.addedShards(sessions.get(0).connection()))) {
        noted.clear();
        return 0;
      }
      int deleted = 0;
      for (ShardSession session : sessions) {
        deleted += clean(session, prepared);
      }
      return deleted;
    } catch (SQLException e) {
      // A shard is missing, so nobody knows what it has prepared: what was noted is forgotten.
      LOG.debug("decisions are not cleaned now: {}", e.getMessage());
      noted.clear();
      return 0;
    } finally {
      sessions.forEach(ShardSession::close);
    }
  }

  private int clean(ShardSession shard, Set<String> prepared) throws SQLException {
    Candidates before = noted.get(shard.name());
    if (before == null) {
      Set<String> old = unused(shard.oldDecisions(options.keepDecisions()), prepared);
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
