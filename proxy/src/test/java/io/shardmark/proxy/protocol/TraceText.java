package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** A stream of messages as traces, for tests of what is sent. */
public final class TraceText {
  private TraceText() {}

  /** The messages of a server, one line each. Borrows; reads all of it. */
  public static List<String> ofServer(ByteBuf stream) {
    return lines(stream, Trace::backend);
  }

  /** The messages of a client, one line each. Borrows; reads all of it. */
  public static List<String> ofClient(ByteBuf stream) {
    return lines(stream, Trace::frontend);
  }

  private interface Line {
    String of(ByteBuf buffer, int start, int length);
  }

  private static List<String> lines(ByteBuf stream, Line line) {
    List<String> lines = new ArrayList<>();
    int index = stream.readerIndex();
    while (index < stream.writerIndex()) {
      int length = stream.getInt(index + 1) + 1;
      lines.add(line.of(stream, index, length));
      index += length;
    }
    return lines;
  }
}
