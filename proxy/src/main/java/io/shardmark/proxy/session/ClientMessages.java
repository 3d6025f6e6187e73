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
final class ClientMessages implements MessageFramer.Listener {
  private static final int STREAMED_BYTES = 16 * 1024;
  private static final MessageLimits LIMITS =
      MessageLimits.client(MessageLimits.LARGE_MESSAGE_BYTES);

  private final Client client;
  private final CopySource copies;
  private final MessageFramer framer;

  /** Who has got the first pieces of a long CopyData, and gets the rest whatever happens. */
  private @Nullable CopyIn streamedTo;

  private boolean streaming;

  ClientMessages(Client client) {
    this.client = client;
    this.copies = client.copies();
    this.framer = new MessageFramer(this, LIMITS);
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
  public boolean streams(byte type, int length) {
    CopyIn copyIn = copies.current();
    return type == 'd' && length > STREAMED_BYTES && (copyIn == null || copyIn.streams());
  }

  @Override
  public void piece(byte type, ByteBuf buffer, int start, int length, int bytesToCome) {
    CopyIn copy = streaming ? streamedTo : copies.current();
    streaming = bytesToCome > 0;
    streamedTo = streaming ? copy : null;
    if (copy == null) {
      return;
    }
    boolean more = copy.piece(buffer, start, length, bytesToCome);
    if (!streaming && copies.current() == null) {
      client.owner().messageEnded();
    } else if (!more) {
      framer.pause();
    }
  }

  @Override
  public void message(byte type, ByteBuf buffer, int start, int length) {
    try {
      if (!take(type, buffer, start, length)) {
        framer.holdBack();
        Step step = client.work().step();
        if (step != null && copies.current() == null) {
          // Begins what it waits for. COPY data wait for a link, which tells when it takes more.
          client.context().loop().execute(client::proceed);
        }
        return;
      }
    } catch (StatementException e) {
      if (!client.participants().drained()) {
        framer.holdBack();
        return;
      }
      client.owner().fail(e.fields());
    }
    if (client.work().step() != null) {
      client.work().run();
      Step step = client.work().step();
      if (step != null && copies.current() == null) {
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
      client.owner().close();
      return true;
    }
    if (client.pipeline().isSkippingToSync() && type != 'S') {
      return true;
    }
    CopyIn copyIn = copies.current();
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
    if (client.end().forwarded().isUnderWay()
        && type != 'S'
        && type != 'H'
        && !client.end().isOver()) {
      return false;
    }
    return client.owner().take(type, buffer, start, length);
  }

  private boolean takeCopyData(byte type, ByteBuf buffer, int start, int length) {
    // PG18 §54.2.7 protocol-copy: dropped after the copy has failed
    CopyIn copyIn = copies.current();
    return copyIn == null || copyIn.message(type, buffer, start, length);
  }
}
