package io.shardmark.proxy.transaction;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.Outcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Recovery, as a session needs it. Any thread may call. */
public interface Recoverer {
  /**
   * Finds out how a transaction ended whose coordinator has lost its anchor.
   *
   * @return completed on any thread, never exceptionally
   */
  CompletableFuture<Outcome> ask(Gid gid);

  /**
   * Commits a part of a transaction that is decided, over a connection of recovery's, as soon as
   * that can be done.
   *
   * @param shard whose rows are to be seen when that is completed, on any thread
   * @return never completed exceptionally; given up when it is cancelled
   */
  CompletableFuture<@Nullable Void> commit(Gid gid, String shard);

  /**
   * How a transaction has ended, or that it has not; decides nothing.
   *
   * @param id a {@link io.shardmark.proxy.commit.TransactionId} or a {@link Gid}, as text
   * @return committed, aborted or in progress, as PostgreSQL says it; "" if it is too long past to
   *     know. Completed on any thread; with a {@link
   *     io.shardmark.proxy.execution.StatementException} if a shard cannot be asked
   */
  CompletableFuture<String> outcome(String id);

  /** Something may be left to finish: looks soon. */
  void request();
}
