package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.ServerConnection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up connections that owe the answer to a COMMIT or ROLLBACK that was passed on as it is. All
 * sessions of a loop are looked at now and then, so that those ends cost no timer of their own.
 */
public final class SilentEnds {
  private static final Logger LOG = LoggerFactory.getLogger(SilentEnds.class);

  /** An end is given up at the look after so many: a quarter of the time late at most. */
  static final int LOOKS = 4;

  private final SessionContext context;

  private SilentEnds(SessionContext context) {
    this.context = context;
  }

  /** Looks as long as the loop lives. */
  public static void watch(SessionContext context) {
    new SilentEnds(context).schedule();
  }

  private void schedule() {
    long limit = context.config().limits().commitTimeout().toNanos();
    if (!context.loop().isShuttingDown()) {
      var unused =
          context.loop().schedule(this::look, Math.max(1, limit / LOOKS), TimeUnit.NANOSECONDS);
    }
  }

  private void look() {
    for (ClientSession session : List.copyOf(context.sessions())) {
      ServerConnection silent = session.end().silent();
      if (silent != null) {
        LOG.warn(
            "shard {} has not answered the end of a transaction within commit_timeout",
            context.pools().shardNames().get(silent.shard()));
        silent.abandon("it has not answered within commit_timeout");
      }
    }
    schedule();
  }
}
