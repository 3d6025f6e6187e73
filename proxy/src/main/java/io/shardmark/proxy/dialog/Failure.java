package io.shardmark.proxy.dialog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an ErrorResponse means for what was sent.
 *
 * @param asker of the failed message; null: the client
 * @param reach what else the client does not get an answer to
 * @param skipped askers whose messages the server skips, in the order of the messages, with that of
 *     the failed message unless ReadyForQuery ends its answer
 * @param bindsSkipped which of the server's answers were to be those of Binds that make no portal
 * @param remedy what the connection has to do before anything else
 */
public record Failure<A extends Asker>(
    @Nullable A asker, SkipReach reach, List<A> skipped, List<Long> bindsSkipped, Remedy remedy) {
  /** What a connection does because of an error. */
  public enum Remedy {
    NONE,
    /** A Query after a failed BEGIN is being skipped: only a Sync brings its ReadyForQuery. */
    SEND_SYNC,
    /** BEGIN has failed, and nobody has asked for anything that could fail with its error. */
    CLOSE
  }
}
