package io.shardmark.proxy.execution;

import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;

/** What has become of a client's work on a server whose connection is lost. */
public enum LostWork {
  /** It is rolled back, or it only read: to do it again does nothing twice. */
  UNDONE,
  /** It may have taken effect. */
  UNCERTAIN;

  /** Of what a server was asked for, if that was no COMMIT. */
  public static LostWork without(ServerConnection server) {
    return server.dialog().isEnlisted() || !server.dialog().hasWritten() ? UNDONE : UNCERTAIN;
  }

  /**
   * The answer to the client. Where another server may take the place of the lost one, it invites
   * to try again.
   *
   * @param replicated whether the shard has standbys
   * @param what names the connection
   */
  public ErrorFields error(boolean replicated, String what) {
    return this == UNDONE && replicated
        ? ErrorFields.error(SqlState.SERIALIZATION_FAILURE, what)
            .withHint("Nothing of it has taken effect: try the transaction again.")
        : ErrorFields.error(SqlState.CONNECTION_FAILURE, what);
  }
}
