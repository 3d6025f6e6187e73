package io.shardmark.proxy.routing;

import io.shardmark.proxy.sql.Target;
import java.util.Set;

/** Plans for statements that several shards cannot answer, though one can. */
final class Refusals {
  static final String BY_HAND =
      "Give the route by hand: SET shardmark.key or shardmark.shard, or a comment"
          + " /* shardmark_key: 42 */ or /* shardmark_shard: name */ in the statement.";

  private Refusals() {}

  /** Refused unless there is only one shard or the route is given by hand. */
  static StatementPlan.QueryPlan query(Access access, String message, String hint) {
    return query(access, message, hint, Set.of());
  }

  /** The same of a statement that leaves something on its server connection. */
  static StatementPlan.QueryPlan query(
      Access access, String message, String hint, Set<SessionEffect> effects) {
    return new StatementPlan.QueryPlan(
        access, new Target.All(), new ScatterStrategy.RefuseScatter(message, hint), effects);
  }

  static StatementPlan.QueryPlan notUnderstood(String what) {
    return query(
        Access.WRITE,
        "the statement could not be understood well enough to be routed: " + what,
        BY_HAND,
        Set.of(SessionEffect.MAY_SET));
  }
}
