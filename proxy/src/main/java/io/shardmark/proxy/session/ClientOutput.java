package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.util.ReferenceCountUtil;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.protocol.BackendMessages;
import org.jspecify.annotations.Nullable;

/** What goes to one client, in order: messages passed on, and answers of the proxy's own. */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes close their channel
final class ClientOutput implements Output {
  /**
   * Up to here a copy costs less than a write, and a client that does not read keeps what it is
   * owed, not the whole buffers that it came in.
   */
  private static final int COPIED_BYTES = 1024;

  private final Channel channel;
  private final LoopCounters counters;
  private final Runnable full;
  private @Nullable ByteBuf own;

  /** Parameters that have changed since the last ReadyForQuery, as messages. */
  private @Nullable ByteBuf reports;

  private boolean unflushed;

  private static final String NO_TAG_YET = "";

  /**
   * The tag that waits, or {@link #NO_TAG_YET}: the statement counts when what it is part of has
   * been committed. Null: tags do not wait.
   */
  private @Nullable String heldTag;

  private boolean closed;

  /**
   * @param full the client does not read what is sent
   */
  ClientOutput(Channel channel, LoopCounters counters, Runnable full) {
    this.channel = channel;
    this.counters = counters;
    this.full = full;
  }

  @Override
  public ByteBufAllocator allocator() {
    return channel.alloc();
  }

  @Override
  public ByteBuf out() {
    ByteBuf buffer = own;
    if (buffer == null) {
      buffer = channel.alloc().buffer(1024);
      own = buffer;
      unflushed = true;
    }
    return buffer;
  }

  @Override
  public void complete(String tag) {
    if (heldTag != null) {
      heldTag = tag;
    } else {
      BackendMessages.commandComplete(out(), tag);
    }
  }

  /** The statement that follows is the last of a Query: its tag waits for the Query's end. */
  void holdTag() {
    heldTag = NO_TAG_YET;
  }

  /**
   * The end of a Query.
   *
   * @param committed whether its last statement has done what its tag says
   */
  void endHolding(boolean committed) {
    String tag = heldTag;
    heldTag = null;
    if (committed && tag != null && !tag.isEmpty()) {
      complete(tag);
    }
  }

  /**
   * A server reports a change right before ReadyForQuery (PG18 §54.2.7 protocol-async). Borrows.
   */
  void report(ByteBuf buffer, int start, int length) {
    if (!closed) {
      ByteBuf before = reports;
      reports = (before == null ? channel.alloc().buffer(length) : before);
      reports.writeBytes(buffer, start, length);
    }
  }

  /** ReadyForQuery is what comes next. */
  void sendReports() {
    ByteBuf messages = reports;
    if (messages != null) {
      reports = null;
      write(messages);
    }
  }

  /** Passes on messages that are in a buffer. Borrows. */
  void forward(ByteBuf buffer, int start, int length) {
    if (length <= COPIED_BYTES) {
      if (!closed) {
        out().writeBytes(buffer, start, length);
      }
    } else {
      write(buffer.retainedSlice(start, length));
    }
  }

  @Override
  public void write(ByteBuf messages) {
    if (closed) {
      messages.release();
      return;
    }
    writeOwn();
    counters.add(LoopCounter.CLIENT_BYTES_OUT, messages.readableBytes());
    channel.write(messages, channel.voidPromise());
    unflushed = true;
  }

  private void writeOwn() {
    ByteBuf buffer = own;
    if (buffer != null) {
      own = null;
      counters.add(LoopCounter.CLIENT_BYTES_OUT, buffer.readableBytes());
      channel.write(buffer, channel.voidPromise());
    }
  }

  @Override
  public void flush() {
    if (unflushed) {
      unflushed = false;
      writeOwn();
      channel.flush();
    }
    if (!channel.isWritable()) {
      full.run();
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** Drops what was not sent, and all that still comes. */
  void close() {
    closed = true;
    ReferenceCountUtil.release(own);
    ReferenceCountUtil.release(reports);
    own = null;
    reports = null;
  }
}
