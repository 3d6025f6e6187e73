package io.shardmark.proxy.transaction;

import io.shardmark.proxy.commit.CommitFailure;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.execution.LostWork;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The errors for an end that is not the one the client asked for. */
final class EndErrors {
  private EndErrors() {}

  /**
   * 08007.
   *
   * @param what has happened, and to what link
   * @param gid null: the transaction was on one shard
   */
  static ErrorFields unknown(String what, @Nullable Gid gid) {
    return ErrorFields.error(SqlState.TRANSACTION_RESOLUTION_UNKNOWN, what)
        .withDetail(
            gid == null
                ? "The transaction was on one shard."
                : "Transaction " + gid.text() + " will be finished by recovery.")
        .withHint(
            gid == null
                ? "SHOW shardmark.transaction before a COMMIT gives what shardmark.outcome takes."
                : "SELECT shardmark.outcome('%s') says how it ends.".formatted(gid.text()));
  }

  /**
   * 01000, as PostgreSQL warns if the wait for a synchronous standby is cancelled.
   *
   * @param shards that do not show the transaction yet
   */
  static ErrorFields notShown(List<String> shards) {
    return ErrorFields.of(
            Severity.WARNING,
            SqlState.WARNING,
            "the transaction is committed, but shard "
                + String.join(", shard ", shards)
                + " does not show it yet")
        .withDetail(
            "The connection was lost after the decision to commit. Recovery commits what is"
                + " prepared there as soon as it can.");
  }

  /**
   * @param gid null: the transaction was on one shard
   * @param errors of the servers, by shard
   * @return null if the tag of what was done says it
   */
  static @Nullable ErrorFields of(
      CommitFailure why,
      @Nullable Gid gid,
      Map<Integer, ErrorFields> errors,
      Surroundings surroundings) {
    if (why instanceof CommitFailure.ServerError server) {
      ErrorFields error = errors.get(server.shard());
      return error != null
          ? error
          : ErrorFields.error(SqlState.INTERNAL_ERROR, "a shard did not commit");
    }
    if (why instanceof CommitFailure.ConnectionLost lost) {
      return LostWork.UNDONE.error(
          surroundings.replicated().contains(lost.shard()),
          "connection to shard "
              + surroundings.shardNames().get(lost.shard())
              + " lost before the commit");
    }
    if (why instanceof CommitFailure.DecidedByRecovery) {
      return ErrorFields.error(
          SqlState.SERIALIZATION_FAILURE,
          "the transaction was rolled back by recovery before its commit was decided");
    }
    if (why instanceof CommitFailure.OutcomeUnknown) {
      return unknown(
          "the connection was lost during the commit, and its outcome cannot be learnt now", gid);
    }
    return null;
  }
}
