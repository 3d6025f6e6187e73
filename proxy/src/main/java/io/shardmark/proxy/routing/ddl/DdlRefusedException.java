package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;

/** A statement that would not be right over several shards; becomes a refused plan. */
final class DdlRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String hint;

  DdlRefusedException(String message, String hint) {
    super(message);
    this.hint = hint;
  }

  StatementPlan.RefusedPlan plan() {
    return new StatementPlan.RefusedPlan(String.valueOf(getMessage()), hint);
  }
}
