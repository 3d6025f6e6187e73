package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.copy.CopyIn;
import io.shardmark.proxy.copy.CopySource;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import org.jspecify.annotations.Nullable;

/** The messages of one client, one after the other: each is handled, held back, or skipped. */
final class ClientMessages implements MessageFramer.Listener, CopySource {
  private static final int STREAMED_BYTES = 16 * 1024;

  private final ClientSession session;
  private final MessageFramer framer;
  private @Nullable CopyIn copyIn;

  /** Who has got the first pieces of a long CopyData, and gets the rest whatever happens. */
  private @Nullable CopyIn streamedTo;

  private boolean streaming;

  /** Until the next Sync all messages are skipped. */
  private boolean skipToSync;

  ClientMessages(ClientSession session) {
    this.session = session;
    this.framer = new MessageFramer(this, MessageLimits.client(MessageLimits.LARGE_MESSAGE_BYTES));
  }

  /** Handles what has arrived. Takes ownership. */
  void read(ByteBuf bytes) {
    framer.read(bytes);
  }

  void pause() {
    framer.pause();
  }

  boolean isPaused() {
    return framer.isPaused();
  }

  void resume() {
    framer.resume();
  }

  void close() {
    framer.close();
  }

  @Override
  public void setCopyIn(CopyIn copy) {
    copyIn = copy;
  }

  @Override
  public void endCopyIn(CopyIn copy) {
    if (isFor(copy)) {
      copyIn = null;
    }
  }

  @Override
  public boolean isFor(CopyIn copy) {
    return copy.equals(copyIn);
  }

  void skipToSync() {
    skipToSync = true;
  }

  boolean isSkippingToSync() {
    return skipToSync;
  }

  void endSkipping() {
    skipToSync = false;
  }

  @Override
  public boolean streams(byte type, int length) {
    return type == 'd' && length > STREAMED_BYTES && (copyIn == null || copyIn.streams());
  }

  @Override
  public void piece(byte type, ByteBuf buffer, int start, int length, int bytesToCome) {
    CopyIn copy = streaming ? streamedTo : copyIn;
    streaming = bytesToCome > 0;
    streamedTo = streaming ? copy : null;
    if (copy == null) {
      return;
    }
    boolean more = copy.piece(buffer, start, length, bytesToCome);
    if (!streaming && copyIn == null) {
      session.answers().messageEnded();
    } else if (!more) {
      framer.pause();
    }
  }

  @Override
  public void message(byte type, ByteBuf buffer, int start, int length) {
    try {
      if (!take(type, buffer, start, length)) {
        framer.holdBack();
        Step step = session.work().step();
        if (step != null && !step.takesCopyData()) {
          // Begins what it waits for. COPY data wait for a link, which tells when it takes more.
          session.context().loop().execute(session::proceed);
        }
        return;
      }
    } catch (StatementException e) {
      if (!session.links().drained()) {
        framer.holdBack();
        return;
      }
      session.fail(e.fields());
    }
    if (session.work().step() != null) {
      session.work().run();
      Step step = session.work().step();
      if (step != null && !step.takesCopyData()) {
        framer.pause();
      }
    }
  }

  /** Handles a message; false: not now. */
  private boolean take(byte type, ByteBuf buffer, int start, int length) {
    if (type == 'd' || type == 'c' || type == 'f') {
      return takeCopyData(type, buffer, start, length);
    }
    if (type == 'X') {
      session.close();
      return true;
    }
    if (skipToSync && type != 'S') {
      return true;
    }
    if (copyIn != null) {
      if (!copyIn.hasBegun()) {
        return false; // if it fails, this message has its own meaning
      }
      if (type == 'S' || type == 'H') {
        return true;
      }
      throw new ProtocolViolationException(
          "message of type '%c' while COPY data are awaited".formatted((char) type));
    }
    if (session.end().forwarded().isUnderWay()
        && type != 'S'
        && type != 'H'
        && !session.end().isOver()) {
      return false;
    }
    if (type == 'Q') {
      return session.simple().query(buffer, start, length);
    }
    if (type == 'F') {
      return session.simple().functionCall(buffer, start, length);
    }
    return session.extended().take(type, buffer, start, length);
  }

  private boolean takeCopyData(byte type, ByteBuf buffer, int start, int length) {
    // PG18 §54.2.7 protocol-copy: dropped after the copy has failed
    return copyIn == null || copyIn.message(type, buffer, start, length);
  }
}
