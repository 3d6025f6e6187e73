package io.shardmark.proxy.session;

import io.shardmark.proxy.routing.ParameterSource;
import io.shardmark.proxy.routing.StatementPlan;

/** Whether a COPY is one shard's or that of several. */
final class CopyStep {
  private CopyStep() {}

  /** The shard that the whole COPY can be passed on to, or -1. */
  static int onlyShard(ClientSession session, StatementPlan.Copy copy, ParameterSource values) {
    if (session.context().shardCount() == 1) {
      return 0;
    }
    if (copy.fromClient() && copy.reference()) {
      return -1;
    }
    int shard = session.choice().shard(copy.target(), values);
    if (shard == ShardChoice.ANY && !copy.fromClient()) {
      return session.choice().anyShard();
    }
    return shard >= 0 && copy.rows() == null ? shard : -1;
  }
}
