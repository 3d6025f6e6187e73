package io.shardmark.proxy.insert;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.SqlState;
import java.util.function.Consumer;

/** Keeps the answer of a statement, which its client does not see. */
final class CapturedOutput implements Output {
  private static final int HEADER_BYTES = 1;

  private final Output client;
  private final long limitBytes;

  /** On the heap: nobody need release it. */
  private final ByteBuf messages = Unpooled.buffer();

  /**
   * @param client whose statement it is
   */
  CapturedOutput(Output client, long limitBytes) {
    this.client = client;
    this.limitBytes = limitBytes;
  }

  @Override
  public ByteBufAllocator allocator() {
    return client.allocator();
  }

  @Override
  public ByteBuf out() {
    return messages;
  }

  @Override
  public void complete(String tag) {
    BackendMessages.commandComplete(messages, tag);
  }

  @Override
  public void write(ByteBuf more) {
    try {
      messages.writeBytes(more, more.readerIndex(), more.readableBytes());
    } finally {
      more.release();
    }
    flush();
  }

  /**
   * {@inheritDoc}
   *
   * @throws StatementException if it has become too much; each row takes about twice its length,
   *     here and in what the shards are sent
   */
  @Override
  public void flush() {
    if (2L * messages.writerIndex() > limitBytes) {
      messages.clear();
      throw new StatementException(
          SqlState.OUT_OF_MEMORY,
          "the rows to be inserted on several shards need more than "
              + limitBytes
              + " bytes of memory",
          "Insert them in portions, use COPY, or raise scatter_memory_limit.");
    }
  }

  @Override
  public boolean isClosed() {
    return client.isClosed();
  }

  /** The messages of that type in their order. */
  void forEach(BackendType type, Consumer<Message> reader) {
    int at = 0;
    while (at < messages.writerIndex()) {
      int length = HEADER_BYTES + messages.getInt(at + HEADER_BYTES);
      Message message = new Message(BackendType.of(messages.getByte(at)), messages, at, length);
      if (message.type() == type) {
        reader.accept(message);
      }
      at += length;
    }
  }
}
