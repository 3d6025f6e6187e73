package io.shardmark.proxy.recovery;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import io.shardmark.proxy.protocol.SqlState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A session's question how its transaction was decided, after it lost the anchor with its COMMIT in
 * flight.
 *
 * <p>A missing row does not mean "not committed" by itself: others may have finished the
 * transaction and deleted the decision long since. So the insert is only made good if a participant
 * still holds its part while the insert stands: then nobody can have deleted anything.
 *
 * @param participants the shards that had prepared
 */
record AnchorQuestion(Gid gid, ShardAccess anchor, List<ShardAccess> participants) {
  AnchorQuestion {
    participants = List.copyOf(participants);
  }

  /**
   * Asks once.
   *
   * @return UNKNOWN if the transaction is long past
   * @throws SQLException if it should be asked again
   */
  Outcome ask(Duration lockLimit) throws SQLException {
    try (ShardSession session = ShardSession.open(anchor, lockLimit)) {
      session.connection().setAutoCommit(false);
      Outcome found = DecisionTable.read(session.connection(), gid);
      if (found != Outcome.UNKNOWN) {
        return found;
      }
      try {
        DecisionTable.insertAborted(session.connection(), gid);
      } catch (SQLException e) {
        if (!DecisionTable.is(e, SqlState.UNIQUE_VIOLATION)) {
          throw e;
        }
        session.connection().rollback();
        return DecisionTable.read(session.connection(), gid);
      }
      if (!isPreparedSomewhere(lockLimit)) {
        session.connection().rollback();
        return Outcome.UNKNOWN;
      }
      session.connection().commit();
      return Outcome.ABORTED;
    }
  }

  private boolean isPreparedSomewhere(Duration lockLimit) throws SQLException {
    SQLException unreachable = null;
    for (ShardAccess participant : participants) {
      try (ShardSession session = ShardSession.open(participant, lockLimit)) {
        if (session.isPrepared(gid)) {
          return true;
        }
      } catch (SQLException e) {
        unreachable = e;
      }
    }
    if (unreachable != null) {
      throw unreachable;
    }
    return false;
  }
}
