package io.shardmark.proxy.admin;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendType;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.session.login.AuthenticatedClient;
import io.shardmark.proxy.session.login.ClientLogin;
import java.util.function.Supplier;

/**
 * A client of the admin database: simple queries only, each one command. Belongs to the channel's
 * event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes close their channel
public final class AdminSession extends ChannelInboundHandlerAdapter
    implements MessageFramer.FrameListener {
  private static final int LONGEST_COMMAND_BYTES = 64 * 1024;

  private final Channel channel;
  private final AdminCommands commands;
  private final MessageFramer framer;

  private AdminSession(Channel channel, AdminCommands commands) {
    this.channel = channel;
    this.commands = commands;
    this.framer = new MessageFramer(this, MessageLimits.client(LONGEST_COMMAND_BYTES));
  }

  /** Welcomes a client that has logged in, if it may use the admin database. */
  public static void start(
      Channel channel,
      AuthenticatedClient client,
      Supplier<ProxyConfig> config,
      AdminCommands commands) {
    if (!config.get().adminUsers().contains(client.user())) {
      ClientLogin.refuse(
          channel,
          ErrorFields.fatal(
              SqlState.INVALID_AUTHORIZATION_SPECIFICATION,
              "user \"" + client.user() + "\" is not among admin_users"));
      return;
    }
    channel.pipeline().addLast(new AdminSession(channel, commands));
    ByteBuf out = channel.alloc().buffer();
    BackendMessages.parameterStatus(out, "server_version", "15.0 (Shardmark admin)");
    BackendMessages.parameterStatus(out, "server_encoding", "UTF8");
    BackendMessages.parameterStatus(out, "client_encoding", "UTF8");
    BackendMessages.parameterStatus(out, "standard_conforming_strings", "on");
    BackendMessages.readyForQuery(out, TransactionStatus.IDLE);
    channel.writeAndFlush(out);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      framer.read((ByteBuf) message);
    } catch (ProtocolViolationException e) {
      ClientLogin.refuse(channel, ErrorFields.of(e));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    framer.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    channel.close();
  }

  @Override
  public void message(byte code, ByteBuf buffer, int start, int length) {
    switch (FrontendType.of(code)) {
      case QUERY -> execute(queryText(buffer, start, length));
      case TERMINATE -> channel.close();
      default ->
          ClientLogin.refuse(
              channel,
              ErrorFields.fatal(
                  SqlState.FEATURE_NOT_SUPPORTED,
                  "the admin database takes simple queries only, such as SHOW HELP"));
    }
  }

  private static String queryText(ByteBuf buffer, int start, int length) {
    BodyReader body = BodyReader.ofMessage("Query", buffer, start, length);
    String text = body.string();
    body.expectEnd();
    return text;
  }

  private void execute(String sql) {
    framer.pause();
    var unused =
        commands
            .execute(sql)
            .whenCompleteAsync(
                (answer, failure) -> {
                  answer(
                      failure == null
                          ? answer
                          : new AdminAnswer.Failed(
                              SqlState.INTERNAL_ERROR, String.valueOf(failure.getMessage()), ""));
                  goOn();
                },
                channel.eventLoop());
  }

  /** What has come meanwhile may be none of the protocol's. */
  private void goOn() {
    try {
      framer.resume();
    } catch (ProtocolViolationException e) {
      ClientLogin.refuse(channel, ErrorFields.of(e));
    }
  }

  private void answer(AdminAnswer answer) {
    ByteBuf out = channel.alloc().buffer();
    if (answer instanceof AdminAnswer.AdminRows rows) {
      BackendMessages.rowDescription(out, rows.table().columns());
      rows.table().rows().forEach(row -> BackendMessages.dataRow(out, row));
      BackendMessages.commandComplete(out, "SHOW");
    } else if (answer instanceof AdminAnswer.Done done) {
      if (!done.notice().isEmpty()) {
        BackendMessages.noticeResponse(
            out, ErrorFields.of(Severity.NOTICE, SqlState.SUCCESSFUL_COMPLETION, done.notice()));
      }
      BackendMessages.commandComplete(out, done.tag());
    } else if (answer instanceof AdminAnswer.Failed failed) {
      BackendMessages.errorResponse(
          out, ErrorFields.error(failed.sqlState(), failed.message()).withHint(failed.hint()));
    }
    BackendMessages.readyForQuery(out, TransactionStatus.IDLE);
    channel.writeAndFlush(out);
  }
}
