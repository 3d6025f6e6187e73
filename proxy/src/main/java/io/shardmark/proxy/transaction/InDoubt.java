package io.shardmark.proxy.transaction;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import java.util.function.Consumer;

/** Recovery, as a session needs it. Any thread may call. */
public interface InDoubt {
  /**
   * Finds out how a transaction ended whose coordinator has lost its anchor.
   *
   * @param answer called once, on any thread
   */
  void ask(Gid gid, Consumer<Outcome> answer);

  /** Something may be left to finish: looks soon. */
  void lookSoon();
}
