package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.ErrorFields;
import org.jspecify.annotations.Nullable;

/** Why a client gets no connection: its statement gets it when it asks again. */
final class Refusal {
  private static final int ALL_SHARDS = -1;

  private @Nullable ErrorFields error;

  /** Whose it is, or {@link #ALL_SHARDS}. */
  private int shard = ALL_SHARDS;

  /** One shard refuses. */
  void by(int refusing, ErrorFields why) {
    error = why;
    shard = refusing;
  }

  /** Nothing is waited for any more, whatever the shard. */
  void byAll(ErrorFields why) {
    by(ALL_SHARDS, why);
  }

  void forget() {
    error = null;
  }

  /** Another shard is asked now: what one has refused counts no more. */
  void forgetUnless(int asked) {
    if (!concerns(asked)) {
      error = null;
    }
  }

  private boolean concerns(int asked) {
    return shard == asked || shard == ALL_SHARDS;
  }

  /**
   * Refuses the statement that asks for that shard.
   *
   * @throws StatementException if there is a refusal
   */
  void throwTo(int asked) {
    ErrorFields found = error;
    if (found != null && concerns(asked)) {
      error = null;
      throw new StatementException(found);
    }
  }

  /** The one shard that has refused, else another. */
  int shardOr(int other) {
    return error != null && shard != ALL_SHARDS ? shard : other;
  }
}
