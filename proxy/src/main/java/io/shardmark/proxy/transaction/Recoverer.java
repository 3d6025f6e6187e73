package io.shardmark.proxy.transaction;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import java.util.concurrent.CompletableFuture;

/** Recovery, as a session needs it. Any thread may call. */
public interface Recoverer {
  /**
   * Finds out how a transaction ended whose coordinator has lost its anchor.
   *
   * @return completed on any thread, never exceptionally
   */
  CompletableFuture<Outcome> ask(Gid gid);

  /** Something may be left to finish: looks soon. */
  void request();
}
