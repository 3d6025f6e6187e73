package io.shardmark.proxy.routing;

import java.util.Set;

/** Plans for statements that several shards cannot answer, though one can. */
final class Refusals {
  static final String BY_HAND =
      "Give the route by hand: SET shardmark.key or shardmark.shard, or a comment"
          + " /* shardmark_key: 42 */ or /* shardmark_shard: name */ in the statement.";

  private Refusals() {}

  /** Refused unless there is only one shard or the route is given by hand. */
  static StatementPlan.Query query(Access access, String message, String hint) {
    return new StatementPlan.Query(
        access, new Target.All(), new Spread.Refuse(message, hint), Set.of());
  }

  static StatementPlan.Query notUnderstood(String what) {
    return query(
        Access.WRITE,
        "the statement could not be understood well enough to be routed: " + what,
        BY_HAND);
  }
}
