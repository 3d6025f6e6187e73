package io.shardmark.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.dialog.Owed;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.TransactionStatus;

/** Who holds a server connection: a client's session. All methods run on its event loop. */
public interface ServerUser {
  /** Messages, or pieces of one, for the client. Borrows the buffer. */
  void forward(ServerConnection server, ByteBuf buffer, int start, int length);

  /**
   * A ParameterStatus that belongs to an answer of the proxy's own: for the client, before its next
   * ReadyForQuery. Borrows the buffer.
   */
  void reported(ByteBuf buffer, int start, int length);

  /**
   * Whether the client may see this ReadyForQuery as it is; else the user writes its own in {@link
   * #ready}.
   */
  boolean passesReady(ServerConnection server, TransactionStatus status);

  /** A ReadyForQuery meant for the client came; it was passed on if {@link #passesReady}. */
  void ready(ServerConnection server, TransactionStatus status);

  /**
   * An ErrorResponse was passed on to the client.
   *
   * @param untilSync the server skips all it gets until a Sync, which has not been sent yet
   */
  void failed(ServerConnection server, boolean untilSync);

  /**
   * A Bind has made no portal: it has failed, or an error before it made the server skip it.
   *
   * @param answer which of the server's answers was to be its own: {@link
   *     ServerConnection#askedCount} when it was sent
   */
  void bindSkipped(ServerConnection server, long answer);

  /**
   * Whether the client sees an ErrorResponse as it is; else the user has written its own instead.
   *
   * @param code its SQLSTATE
   */
  boolean passesError(ServerConnection server, String code);

  /** What the client shall get of an error that was captured. */
  ErrorFields named(ServerConnection server, ErrorFields error);

  /**
   * A statement prepared before failed because what it depends on has changed: what is prepared
   * from here on must not be taken for it.
   */
  void foundOutdated();

  /** The process number that the client which sent a notification knows as its own. */
  int notifier(int serverProcess);

  /** The client's id, as it knows it from BackendKeyData. */
  int clientId();

  /** The connection is gone; nobody else holds it. */
  void lost(ServerConnection server, Owed owed, String reason);

  /** All that arrived in one turn has been handled. */
  void readComplete(ServerConnection server);
}
