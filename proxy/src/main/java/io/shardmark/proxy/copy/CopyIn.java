package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.FrontendType;

/** Where CopyData of the client go (PG18 §54.2.7 protocol-copy). */
public interface CopyIn {
  /**
   * Whether the server has said that it reads CopyData. Before that it may still fail the COPY,
   * which decides what becomes of messages that a COPY does not take.
   */
  boolean hasBegun();

  /** CopyData, CopyDone or CopyFail; false: not now. */
  boolean message(FrontendType type, ByteBuf buffer, int start, int length);

  /** Whether long CopyData may come in pieces. */
  boolean streams();

  /**
   * A piece of one, also when the copy has failed since the first: the receiver of that needs all
   * of it.
   *
   * @param bytesToCome how much of the message is still to follow
   * @return false: pause after it
   */
  boolean piece(ByteBuf buffer, int start, int length, int bytesToCome);
}
