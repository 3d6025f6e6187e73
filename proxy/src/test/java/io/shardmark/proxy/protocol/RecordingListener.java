package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what a framer shows: messages whole, streamed ones put together again. */
final class RecordingListener implements MessageFramer.FrameListener {
  final List<byte[]> messages = new ArrayList<>();
  final List<Integer> pieceLengths = new ArrayList<>();

  /** Called after each message with its number, from 1. */
  interface Reaction {
    void onMessage(int number);
  }

  private final int streamFrom;
  private @Nullable Reaction reaction;
  private byte[] streamed = {};
  private int calls;

  /**
   * @param streamFrom messages of at least so many bytes are asked for in pieces
   */
  RecordingListener(int streamFrom) {
    this.streamFrom = streamFrom;
  }

  void react(Reaction newReaction) {
    reaction = newReaction;
  }

  @Override
  public void message(byte type, ByteBuf buffer, int start, int length) {
    byte[] bytes = ByteBufUtil.getBytes(buffer, start, length);
    if (bytes[0] != type) {
      throw new AssertionError("type " + type + " of a message that begins with " + bytes[0]);
    }
    messages.add(bytes);
    calls++;
    if (reaction != null) {
      reaction.onMessage(calls);
    }
  }

  @Override
  public boolean streams(byte type, int length) {
    return length >= streamFrom;
  }

  @Override
  public void piece(byte type, ByteBuf buffer, int start, int length, int bytesToCome) {
    pieceLengths.add(length);
    byte[] piece = ByteBufUtil.getBytes(buffer, start, length);
    byte[] joined = new byte[streamed.length + length];
    System.arraycopy(streamed, 0, joined, 0, streamed.length);
    System.arraycopy(piece, 0, joined, streamed.length, length);
    streamed = joined;
    if (bytesToCome == 0) {
      messages.add(streamed);
      streamed = new byte[0];
    }
  }
}
