package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what arrives on a connection into messages (PG18 §54.2.1 protocol-message-concepts): a tag
 * byte, a length that counts itself, a body. Messages that are whole in the buffer they came in are
 * shown there; only one that is cut in two is put together in its own buffer, which grows with what
 * has come, never with what was announced. Between messages nothing is kept.
 *
 * <p>Belongs to one event loop. No object is made for a message.
 */
public final class MessageFramer {
  /** Takes what has been framed. Every method borrows the buffer; its indices mean nothing. */
  public interface FrameListener {
    /**
     * A whole message. May call {@link #pause}, {@link #holdBack} and {@link #close}.
     *
     * @param start of the tag byte
     * @param length with tag and length word
     */
    void message(byte type, ByteBuf buffer, int start, int length);

    /**
     * Whether this message, which is not whole yet, is to be passed on in pieces as it comes. Asked
     * once for it.
     */
    default boolean streams(byte type, int length) {
      return false;
    }

    /**
     * A piece of a message that {@link #streams}; the first one begins with the tag byte. Must not
     * call {@link #holdBack}.
     *
     * @param bytesToCome how much of the message is still to follow; 0 in its last piece
     */
    default void piece(byte type, ByteBuf buffer, int start, int length, int bytesToCome) {
      throw new IllegalStateException("a listener that streams must take pieces");
    }

    /**
     * The buffer will be released, or is laid aside by a pause: slices of it must be retained now.
     * A listener that passes on runs of messages ends its run here.
     */
    default void endOfBuffer(ByteBuf buffer) {}
  }

  private enum FramerState {
    RUNNING,
    PAUSED,
    CLOSED
  }

  private static final int HEADER_LENGTH = Encoding.HEADER_LENGTH;
  private static final int MIN_HELD_BYTES = 64;

  private final FrameListener listener;
  private final MessageLimits limits;
  private FramerState state = FramerState.RUNNING;
  private boolean heldBack;
  private boolean reading;

  /** The beginning of the message that is being put together. */
  private @Nullable ByteBuf held;

  /** What came while paused, or what was left when a pause began. */
  private @Nullable ByteBuf waiting;

  /** The message that is being passed on in pieces; 0 to come: none is. */
  private byte streamedType;

  private int streamedToCome;

  public MessageFramer(FrameListener listener, MessageLimits limits) {
    this.listener = listener;
    this.limits = limits;
  }

  /**
   * Frames what arrived. Takes ownership.
   *
   * @throws ProtocolViolationException if a message cannot be one; the framer is closed then
   */
  public void read(ByteBuf in) {
    switch (state) {
      case CLOSED -> in.release();
      case PAUSED -> waiting = waiting == null ? in : joined(waiting, in);
      case RUNNING -> run(in);
    }
  }

  /** Shows nothing more until {@link #resume}; what arrives meanwhile is kept. */
  public void pause() {
    if (state == FramerState.RUNNING) {
      state = FramerState.PAUSED;
    }
  }

  /** Pauses, and shows the message that is being shown once more on {@link #resume}. */
  public void holdBack() {
    if (!reading) {
      throw new IllegalStateException("no message is being shown");
    }
    pause();
    heldBack = true;
  }

  /**
   * Goes on after {@link #pause}, with what has waited. Inside a callback it takes back the pause:
   * framing goes on when the callback returns.
   *
   * @throws ProtocolViolationException as {@link #read}
   */
  public void resume() {
    if (state != FramerState.PAUSED) {
      return;
    }
    state = FramerState.RUNNING;
    if (reading) {
      return;
    }
    ByteBuf in = waiting;
    waiting = null;
    if (in != null) {
      run(in);
    } else if (held != null) {
      repeatHeld();
    }
  }

  /**
   * Ends the work of a paused framer: gives up what has arrived and not been shown, for those who
   * reads the connection from now on.
   *
   * @return null if there is nothing; else owned by the caller
   */
  public @Nullable ByteBuf takeRest() {
    if (state != FramerState.PAUSED || reading || held != null || streamedToCome > 0) {
      throw new IllegalStateException("the rest can be taken between messages in a pause only");
    }
    ByteBuf rest = waiting;
    waiting = null;
    close();
    return rest;
  }

  public boolean isPaused() {
    return state == FramerState.PAUSED;
  }

  /** Whether it keeps nothing: no partial message, nothing that waits. */
  public boolean isEmpty() {
    return held == null && waiting == null && streamedToCome == 0;
  }

  /** Releases what is kept; everything that still comes is dropped. */
  public void close() {
    state = FramerState.CLOSED;
    if (waiting != null) {
      waiting.release();
      waiting = null;
    }
    if (held != null && !reading) {
      held.release();
      held = null;
    }
  }

  private void run(ByteBuf in) {
    reading = true;
    boolean completed = false;
    try {
      if (streamedToCome > 0) {
        stream(in);
      }
      if (held != null && state == FramerState.RUNNING) {
        complete(held, in);
      }
      if (held == null && streamedToCome == 0 && state == FramerState.RUNNING) {
        frames(in);
      }
      listener.endOfBuffer(in);
      completed = true;
    } finally {
      reading = false;
      if (!completed) {
        close();
      }
      finish(in);
    }
  }

  /** Keeps what a pause left in the buffer, else releases it. */
  private void finish(ByteBuf in) {
    if (state == FramerState.PAUSED && in.isReadable()) {
      waiting = in;
      return;
    }
    in.release();
    if (state == FramerState.CLOSED) {
      close();
    }
  }

  /** The messages that are whole in {@code in}; keeps the beginning of the last if it is not. */
  private void frames(ByteBuf in) {
    int end = in.writerIndex();
    int index = in.readerIndex();
    while (end - index >= HEADER_LENGTH) {
      byte type = in.getByte(index);
      int length = checkedLength(type, in.getInt(index + 1));
      if (length > end - index) {
        in.readerIndex(index);
        beginPartial(type, length, in);
        return;
      }
      listener.message(type, in, index, length);
      if (heldBack) {
        heldBack = false;
      } else {
        index += length;
      }
      if (state != FramerState.RUNNING) {
        in.readerIndex(index);
        return;
      }
    }
    in.readerIndex(index);
    if (end > index) {
      hold(in, end - index, MIN_HELD_BYTES);
    }
  }

  private void beginPartial(byte type, int length, ByteBuf in) {
    if (listener.streams(type, length)) {
      streamedType = type;
      streamedToCome = length;
      stream(in);
    } else {
      hold(in, in.readableBytes(), length);
    }
  }

  /** Shows the next piece of a message that is passed on in pieces. */
  private void stream(ByteBuf in) {
    int length = Math.min(streamedToCome, in.readableBytes());
    if (length > 0) {
      streamedToCome -= length;
      int start = in.readerIndex();
      in.skipBytes(length);
      listener.piece(streamedType, in, start, length, streamedToCome);
      if (heldBack) {
        throw new IllegalStateException("a piece cannot be held back");
      }
    }
  }

  /** Adds to the held message what it lacks, and shows it when it is whole. */
  private void complete(ByteBuf message, ByteBuf in) {
    if (message.readableBytes() < HEADER_LENGTH) {
      fill(message, in, HEADER_LENGTH);
      if (message.readableBytes() < HEADER_LENGTH) {
        return;
      }
      byte type = message.getByte(0);
      int length = checkedLength(type, message.getInt(1));
      if (length > HEADER_LENGTH + in.readableBytes() && listener.streams(type, length)) {
        streamHeld(message, type, length, in);
        return;
      }
    }
    int length = message.getInt(1) + 1;
    fill(message, in, length);
    if (message.readableBytes() == length) {
      show(message, length);
    }
  }

  private void streamHeld(ByteBuf header, byte type, int length, ByteBuf in) {
    held = null;
    try {
      streamedType = type;
      streamedToCome = length - HEADER_LENGTH;
      listener.piece(type, header, 0, HEADER_LENGTH, streamedToCome);
      listener.endOfBuffer(header);
    } finally {
      header.release();
    }
    if (state == FramerState.RUNNING) {
      stream(in);
    }
  }

  private void show(ByteBuf message, int length) {
    do {
      heldBack = false;
      listener.message(message.getByte(0), message, 0, length);
    } while (heldBack && state == FramerState.RUNNING);
    if (heldBack) {
      heldBack = false;
      return;
    }
    listener.endOfBuffer(message);
    held = null;
    message.release();
  }

  /** A message that had been put together was held back, and nothing came after it. */
  private void repeatHeld() {
    ByteBuf message = held;
    if (message == null || message.readableBytes() < HEADER_LENGTH) {
      return;
    }
    int length = message.getInt(1) + 1;
    if (message.readableBytes() < length) {
      return;
    }
    reading = true;
    boolean completed = false;
    try {
      show(message, length);
      completed = true;
    } finally {
      reading = false;
      if (!completed || state == FramerState.CLOSED) {
        close();
      }
    }
  }

  private void hold(ByteBuf in, int count, int length) {
    ByteBuf message = in.alloc().buffer(Math.min(length, Math.max(MIN_HELD_BYTES, count * 2)));
    held = message;
    message.writeBytes(in, count);
  }

  /** Moves bytes until {@code message} has {@code length} of them or {@code in} is empty. */
  private static void fill(ByteBuf message, ByteBuf in, int length) {
    int count = Math.min(length - message.readableBytes(), in.readableBytes());
    int needed = message.readableBytes() + count;
    if (needed > message.capacity()) {
      // Doubled by hand: Netty grows large buffers by fixed steps, each of them a copy.
      long doubled = Math.max(2L * message.capacity(), needed);
      message.capacity((int) Math.min(Math.max(length, MIN_HELD_BYTES), doubled));
    }
    message.writeBytes(in, count);
  }

  private int checkedLength(byte type, int lengthWord) {
    int max = limits.maxBytes(type);
    if (lengthWord < Integer.BYTES || lengthWord >= max) {
      throw violation(type, lengthWord, max);
    }
    return lengthWord + 1;
  }

  private static ProtocolViolationException violation(byte type, int lengthWord, int max) {
    if (max == 0) {
      return new ProtocolViolationException("unexpected message type 0x%02x".formatted(type));
    }
    return new ProtocolViolationException(
        "message of type '%c' declares length %d, allowed are 4 to %d"
            .formatted((char) type, lengthWord, max - 1));
  }

  /** Rare: more arrives though nobody reads. A copy keeps the buffers' number bounded. */
  private static ByteBuf joined(ByteBuf first, ByteBuf second) {
    ByteBuf both = first.alloc().buffer(first.readableBytes() + second.readableBytes());
    both.writeBytes(first).writeBytes(second);
    first.release();
    second.release();
    return both;
  }
}
