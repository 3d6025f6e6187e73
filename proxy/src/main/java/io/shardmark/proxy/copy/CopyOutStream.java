package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CopyFormats;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyBinary;
import org.jspecify.annotations.Nullable;

/**
 * Makes one stream of COPY data of those of several shards: rows as they come, one header line or
 * binary header, one binary trailer (PG18 §54.2.7 protocol-copy: a server sends one row in a
 * CopyData).
 */
final class CopyOutStream {
  private static final int HEADER_LENGTH = 5;

  private final Output client;
  private final boolean headerLine;
  private final boolean[] begun;
  private @Nullable CopyFormats formats;

  /** The header line or binary header that the client has got. */
  private @Nullable ByteBuf header;

  CopyOutStream(Output client, boolean headerLine, int shards) {
    this.client = client;
    this.headerLine = headerLine;
    this.begun = new boolean[shards];
  }

  /** A CopyOutResponse; the client gets the first one. */
  void response(Message message) {
    CopyFormats shown = CopyFormats.read(message);
    if (formats == null) {
      formats = shown;
      message.writeTo(client.out());
    } else if (!formats.equals(shown)) {
      throw different("columns");
    }
  }

  private static StatementException different(String what) {
    return new StatementException(
        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE,
        "the shards' answers to COPY have different " + what,
        "Make the table alike on all shards.");
  }

  private boolean isBinary() {
    return formats != null && formats.format() == 1;
  }

  /** A CopyData of a shard; borrowed. */
  void data(int answer, Message message) {
    ByteBuf buffer = message.buffer();
    int from = message.bodyStart();
    int bytes = message.bodyLength();
    if (!begun[answer] && (headerLine || isBinary())) {
      begun[answer] = true;
      int headerBytes = isBinary() ? CopyBinary.headerBytes(buffer, from, bytes) : bytes;
      if (headerBytes < 0) {
        throw new ProtocolViolationException("a shard's binary COPY data begin without a header");
      }
      header(buffer, from, headerBytes);
      from += headerBytes;
      bytes -= headerBytes;
      if (bytes == 0) {
        return;
      }
    }
    if (isBinary() && CopyBinary.isTrailer(buffer, from, bytes)) {
      return;
    }
    if (from == message.bodyStart()) {
      client.pass(message);
    } else {
      part(buffer, from, bytes);
    }
  }

  private void header(ByteBuf buffer, int start, int length) {
    ByteBuf sent = header;
    if (sent == null) {
      header = buffer.copy(start, length);
      part(buffer, start, length);
    } else if (!sent.equals(buffer.slice(start, length))) {
      throw different("headers");
    }
  }

  private void part(ByteBuf buffer, int start, int length) {
    ByteBuf message = client.allocator().buffer(HEADER_LENGTH + length);
    BackendMessages.copyDataHeader(message, length);
    message.writeBytes(buffer, start, length);
    client.pass(message);
  }

  /** All shards have given all: the trailer, CopyDone and CommandComplete. */
  void finish(long rowCount) {
    ByteBuf out = client.out();
    if (isBinary()) {
      BackendMessages.copyDataHeader(out, Short.BYTES);
      out.writeShort(CopyBinary.TRAILER);
    }
    BackendMessages.copyDone(out);
    client.complete("COPY " + rowCount);
  }

  void close() {
    if (header != null) {
      header.release();
      header = null;
    }
  }
}
