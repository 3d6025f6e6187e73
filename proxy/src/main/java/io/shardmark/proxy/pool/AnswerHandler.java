package io.shardmark.proxy.pool;

import io.shardmark.proxy.dialog.Asker;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.TransactionStatus;

/**
 * What becomes of the answer to one message sent to a server. An expectation without a handler is
 * passed on to the client. All methods run on the connection's event loop.
 */
public interface AnswerHandler extends Asker {
  /** Who gets the messages. */
  enum HandlerUse {
    /** The client gets all. */
    FORWARD,
    /** The client gets all but the tag, which {@link #message} gets, and ReadyForQuery. */
    FORWARD_WITHOUT_END,
    /** Nobody, unless it is an error, which the client gets. */
    SWALLOW,
    /** {@link #message} gets all but an error, which the client gets. */
    READ,
    /** {@link #message} gets all, also errors. */
    CAPTURE
  }

  /** The answer is dropped; an error in it is passed on to the client. */
  AnswerHandler SWALLOW = () -> HandlerUse.SWALLOW;

  /** The client gets the whole answer. */
  AnswerHandler FORWARD = () -> HandlerUse.FORWARD;

  HandlerUse use();

  @Override
  default boolean passesAll() {
    return use() == HandlerUse.FORWARD;
  }

  /**
   * Whether parameters that change meanwhile are kept from the client: because they are what it
   * knows, or another server reports.
   */
  default boolean hidesParameters() {
    return false;
  }

  /** A message of the answer that the client does not get; borrowed. */
  default void message(ServerConnection server, Message message) {}

  /** A CommandComplete has come: one statement has been executed, perhaps of several. */
  default void commandCompleted(ServerConnection server) {}

  /** The server has begun to read CopyData. */
  default void copyInBegun(ServerConnection server) {
    throw new ProtocolViolationException("CopyInResponse where no COPY FROM STDIN was asked for");
  }

  /** The answer is complete; an error may have been in it if it ends with ReadyForQuery. */
  default void completed(ServerConnection server, TransactionStatus status) {}

  /** There will be no answer: an error, its own or an earlier one, made the server skip it. */
  default void skipped(ServerConnection server) {}

  /** There will be no answer: the connection is gone. */
  default void lost(ServerConnection server) {
    skipped(server);
  }
}
