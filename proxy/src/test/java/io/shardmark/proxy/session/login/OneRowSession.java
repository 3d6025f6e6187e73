package io.shardmark.proxy.session.login;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.FrontendMessage;
import io.shardmark.proxy.protocol.FrontendType;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A session as small as clients bear it: every SELECT gives one row, all else succeeds. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
final class OneRowSession extends ChannelInboundHandlerAdapter
    implements MessageFramer.FrameListener {
  private final MessageFramer framer =
      new MessageFramer(this, MessageLimits.client(MessageLimits.LARGE_MESSAGE_BYTES));
  private final String answer;
  private @Nullable ChannelHandlerContext ctx;
  private boolean select;

  OneRowSession(String answer) {
    this.answer = answer;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    ctx = context;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    framer.read((ByteBuf) message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    framer.close();
  }

  @Override
  public void message(byte type, ByteBuf buffer, int start, int length) {
    ChannelHandlerContext context = Objects.requireNonNull(ctx);
    ByteBuf out = context.alloc().buffer();
    FrontendMessage message = FrontendMessage.read(buffer, start, length);
    switch (FrontendType.of(type)) {
      case QUERY -> {
        select = isSelect(((FrontendMessage.Query) message).sql());
        describe(out);
        execute(out);
        BackendMessages.readyForQuery(out, TransactionStatus.IDLE);
      }
      case PARSE -> {
        select = isSelect(((FrontendMessage.Parse) message).sql());
        BackendMessages.parseComplete(out);
      }
      case BIND -> BackendMessages.bindComplete(out);
      case DESCRIBE -> {
        if (select) {
          describe(out);
        } else {
          BackendMessages.noData(out);
        }
      }
      case EXECUTE -> execute(out);
      case SYNC -> BackendMessages.readyForQuery(out, TransactionStatus.IDLE);
      case TERMINATE -> context.close();
      default -> throw new AssertionError(message);
    }
    context.writeAndFlush(out);
  }

  private static boolean isSelect(String sql) {
    return sql.toLowerCase(Locale.ROOT).startsWith("select");
  }

  private void describe(ByteBuf out) {
    if (select) {
      BackendMessages.rowDescription(out, List.of(RowField.text("answer")));
    }
  }

  private void execute(ByteBuf out) {
    if (select) {
      BackendMessages.dataRow(out, List.of(answer));
    }
    BackendMessages.commandComplete(out, select ? "SELECT 1" : "SET");
  }
}
