package io.shardmark.driver.coordination;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import org.jspecify.annotations.Nullable;

/** The one table of message codes, longest bodies and decoders. */
enum MessageType {
  HELLO(1, Limits.CONTROL, Message.Hello::read),
  WELCOME(2, Limits.CONTROL, Message.Welcome::read),
  READY(3, Limits.CONTROL, Message.Ready::read),
  PING(4, Limits.CONTROL, Message.Ping::read),
  PONG(5, Limits.CONTROL, Message.Pong::read),
  START(6, Limits.CONTROL, Message.Start::read),
  STOP_REQUEST(7, Limits.CONTROL, Message.StopRequest::read),
  STOP(8, Limits.CONTROL, Message.Stop::read),
  /** Code and body are the same in all versions, so that an old driver can read why. */
  ABORT(9, Limits.CONTROL, Message.Abort::read),
  FILE(10, Limits.CONTROL, Message.FileBegin::read),
  CHUNK(11, Limits.CHUNK, Message.Chunk::read),
  DONE(12, Limits.CONTROL, Message.Done::read),
  RECEIVED(13, Limits.CONTROL, Message.Received::read);

  /** Longest bodies in bytes. */
  static final class Limits {
    static final int CONTROL = 64 << 10;
    static final int CHUNK = 256 << 10;

    private Limits() {}
  }

  @FunctionalInterface
  private interface Decoder {
    Message decode(DataInputStream body) throws IOException;
  }

  private static final @Nullable MessageType[] BY_CODE = new @Nullable MessageType[256];

  static {
    for (MessageType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;
  private final int mostBytes;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference
  private final Decoder decoder;

  MessageType(int code, int mostBytes, Decoder decoder) {
    this.code = code;
    this.mostBytes = mostBytes;
    this.decoder = decoder;
  }

  static MessageType of(byte code) throws ProtocolException {
    MessageType type = BY_CODE[code & 0xFF];
    if (type == null) {
      throw new ProtocolException("unknown message type 0x%02x".formatted(code));
    }
    return type;
  }

  byte code() {
    return (byte) code;
  }

  /** Refuses a body before anything is allocated for it. */
  void checkLength(int bytes) throws ProtocolException {
    if (bytes < 0 || bytes > mostBytes) {
      throw new ProtocolException("%s of %d bytes, at most %d".formatted(this, bytes, mostBytes));
    }
  }

  Message decode(byte[] body) throws IOException {
    ByteArrayInputStream bytes = new ByteArrayInputStream(body);
    try {
      Message message = decoder.decode(new DataInputStream(bytes));
      if (bytes.available() > 0) {
        throw new ProtocolException("%s with %d bytes left".formatted(this, bytes.available()));
      }
      return message;
    } catch (EOFException | UTFDataFormatException e) {
      throw new ProtocolException("%s is cut short or holds no text".formatted(this));
    }
  }
}
