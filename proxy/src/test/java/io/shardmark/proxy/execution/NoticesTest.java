package io.shardmark.proxy.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NoticesTest {
  private final ByteBuf out = Unpooled.buffer();
  private final Notices notices = new Notices(new Client());

  private final class Client implements Output {
    @Override
    public ByteBufAllocator allocator() {
      return out.alloc();
    }

    @Override
    public ByteBuf out() {
      return out;
    }

    @Override
    public void complete(String tag) {
      throw new AssertionError(tag);
    }

    @Override
    public void write(ByteBuf messages) {
      throw new AssertionError("not buffered");
    }

    @Override
    public void flush() {
      throw new AssertionError("notices come before the answer");
    }

    @Override
    public boolean isClosed() {
      return false;
    }
  }

  private void give(int server, String text) {
    ByteBuf buffer = Unpooled.buffer();
    BackendMessages.noticeResponse(
        buffer, ErrorFields.of(Severity.NOTICE, SqlState.SUCCESSFUL_COMPLETION, text));
    notices.take(
        server, new Message(BackendType.NOTICE_RESPONSE, buffer, 0, buffer.readableBytes()));
  }

  private List<String> taken() {
    List<String> texts = new ArrayList<>();
    while (out.isReadable()) {
      int length = out.getInt(out.readerIndex() + 1) + 1;
      Message message = new Message(BackendType.NOTICE_RESPONSE, out, out.readerIndex(), length);
      texts.add(ErrorFields.read(message).message());
      out.skipBytes(length);
    }
    return texts;
  }

  @Test
  void whatAllServersSayIsSaidOnceAndWhatOneSaysIsSaid() {
    give(0, "all");
    give(1, "all");
    give(2, "third");
    give(2, "all");
    assertThat(taken()).containsExactly("all", "third");
  }

  @Test
  void aNoticeIsSaidAsOftenAsTheServerThatSaysItMostOften() {
    give(0, "row");
    give(1, "row");
    give(1, "row");
    give(0, "row");
    give(0, "row");
    assertThat(taken()).containsExactly("row", "row", "row");
  }

  @Test
  void thoseBeyondTheNumberThatIsComparedAreAllSaid() {
    for (int i = 0; i < 1200; i++) {
      give(0, "row " + i);
    }
    give(1, "row 3");
    give(1, "row 1100");
    assertThat(taken()).hasSize(1201).endsWith("row 1100");
  }
}
