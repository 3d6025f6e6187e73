package io.shardmark.proxy.execution;

import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server connections that a client holds, and its transaction over them: each is logged in, has
 * the client's settings and is inside the transaction when it is given out. Belongs to the client's
 * event loop.
 */
public interface Participants extends Route.Choice {
  /**
   * The connection to that shard, ready for the next message.
   *
   * @return null if it is not there yet; the step is called again when it may be
   * @throws StatementException if there will be none
   */
  @Nullable ServerConnection require(int shard);

  /**
   * Several at once, for what runs on them in parallel.
   *
   * @param shards ascending
   * @return false if one is not there yet; the step is called again when it may be
   * @throws StatementException if there will be none
   */
  boolean requireAll(List<Integer> shards);

  /** The same of those that the transaction has begun on. */
  default boolean requireEnlisted() {
    return requireAll(enlisted().stream().map(ServerConnection::shard).toList());
  }

  /** The one to that shard, if it is held. */
  @Nullable ServerConnection held(int shard);

  /**
   * One that has been required.
   *
   * @throws StatementException if it has been lost since
   */
  default ServerConnection required(int shard) {
    ServerConnection server = held(shard);
    if (server == null) {
      throw new StatementException(
          SqlState.CONNECTION_FAILURE, "connection to a shard lost in the middle of the statement");
    }
    return server;
  }

  /** A statement of that access is about to be sent to one that has been required. */
  default void note(Access access, int shard) {
    if (access == Access.WRITE) {
      required(shard).dialog().wrote();
    } else if (access == Access.LOCK) {
      required(shard).dialog().locked();
    }
  }

  /** All that are held, by shard. */
  List<ServerConnection> all();

  /** Those that the transaction has begun on. */
  List<ServerConnection> enlisted();

  /** Whether they stay the client's until it leaves. */
  boolean isPinned();

  /**
   * Whether there is a transaction; makes one, if there is none, of what a pipeline has executed
   * and of what follows until its Sync.
   *
   * @return false if a server has to answer first
   */
  boolean inTransaction();

  /** Until there is a transaction, and a connection to each of these shards, ascending. */
  default ExecutionStep inTransactionOn(List<Integer> shards) {
    return () -> inTransaction() && requireAll(shards);
  }
}
