package io.shardmark.proxy.pool.login;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import io.shardmark.proxy.protocol.Authentication;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.ProtocolVersion;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.settings.Settings;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of a channel to a shard: asks for TLS, sends the startup packet, authenticates
 * (PG18 §54.2.2 protocol-flow-start-up), collects what the server reports, and leaves the pipeline
 * at the first ReadyForQuery. A login that fails closes the channel.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
public final class ServerLogin extends ChannelInboundHandlerAdapter
    implements MessageFramer.FrameListener {
  /** What comes of a login. Called on the channel's event loop, once. */
  public interface ServerLoginListener {
    /**
     * The connection can be used. The listener adds its own handler here, at the end of the
     * pipeline; what the server has sent already is fired to it afterwards.
     */
    void onLoggedIn(Channel channel, LoggedInServer server);

    /** The server refused, or did what no server may, or the link was lost (08006). */
    void onLoginFailed(Channel channel, ErrorFields error);
  }

  private enum ServerLoginStep {
    CONNECTING,
    TLS_ASKED,
    TLS_HANDSHAKE,
    STARTED,
    READY,
    ENDED
  }

  /** Nothing in a login is long; an error text may be. */
  private static final int MAX_MESSAGE_BYTES = 64 * 1024;

  private static final MessageLimits LIMITS = MessageLimits.server(MAX_MESSAGE_BYTES);

  private final ServerAccount account;
  private final ServerLoginConfig config;
  private final SocketAddress host;
  private final ServerLoginListener listener;
  private final MessageFramer framer = new MessageFramer(this, LIMITS);
  private final Map<String, String> parameters = new LinkedHashMap<>();
  private ServerLoginStep step = ServerLoginStep.CONNECTING;
  private ProtocolVersion version = ProtocolVersion.V3_2;
  private @Nullable CancelKey cancelKey;
  private @Nullable ServerAuthentication authentication;
  private @Nullable ChannelHandlerContext context;
  private @Nullable Future<?> timer;

  /**
   * @param host where the channel leads
   */
  public ServerLogin(
      ServerAccount account,
      ServerLoginConfig config,
      SocketAddress host,
      ServerLoginListener listener) {
    this.account = account;
    this.config = config;
    this.host = host;
    this.listener = listener;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    timer =
        ctx.executor()
            .schedule(this::onTimeout, config.timeout().toMillis(), TimeUnit.MILLISECONDS);
    if (ctx.channel().isActive()) {
      begin(ctx);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    begin(ctx);
    ctx.fireChannelActive();
  }

  private void begin(ChannelHandlerContext ctx) {
    if (step != ServerLoginStep.CONNECTING) {
      return;
    }
    ctx.read();
    if (config.tls() == null) {
      sendStartup(ctx);
      return;
    }
    step = ServerLoginStep.TLS_ASKED;
    ByteBuf out = ctx.alloc().buffer();
    FrontendMessages.sslRequest(out);
    ctx.writeAndFlush(out);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (step != ServerLoginStep.ENDED) {
      ctx.read();
    }
    ctx.fireChannelReadComplete();
  }

  private void sendStartup(ChannelHandlerContext ctx) {
    step = ServerLoginStep.STARTED;
    authentication = new ServerAuthentication(ctx, account, config, this::onAuthStep);
    Map<String, String> startup = new LinkedHashMap<>();
    startup.put("user", account.user());
    startup.put("database", config.database());
    startup.putAll(config.parameters());
    ByteBuf out = ctx.alloc().buffer();
    FrontendMessages.startup(out, version, startup);
    ctx.writeAndFlush(out);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    guarded(
        () -> {
          switch (step) {
            case TLS_ASKED -> readTlsAnswer(ctx, in);
            case STARTED -> framer.read(in);
            case CONNECTING, TLS_HANDSHAKE, READY, ENDED -> in.release();
          }
        });
  }

  /** Whatever reads what the server sent: its faults end the login, its end is the login's. */
  private void guarded(Runnable reading) {
    try {
      reading.run();
    } catch (ProtocolViolationException e) {
      fail(ErrorFields.error(e.sqlState(), "login to the server: " + e.getMessage()));
    }
    if (step == ServerLoginStep.READY && context != null) {
      handOver(context);
    }
  }

  private void readTlsAnswer(ChannelHandlerContext ctx, ByteBuf in) {
    int length = in.readableBytes();
    byte answer = length == 0 ? 0 : in.readByte();
    in.release();
    TlsToServer tls = config.tls();
    if (length == 0 || tls == null) {
      return;
    }
    if (answer != 'S') {
      fail("the server does not speak TLS");
    } else if (length > 1) {
      // Bytes in clear text that would be taken for the server's own after the handshake.
      throw new ProtocolViolationException("received unencrypted data after SSLRequest");
    } else {
      step = ServerLoginStep.TLS_HANDSHAKE;
      ctx.pipeline().addBefore(ctx.name(), "tls", tls.newHandler(ctx.alloc()));
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake
        && step == ServerLoginStep.TLS_HANDSHAKE) {
      if (handshake.isSuccess()) {
        sendStartup(ctx);
      } else {
        fail("TLS handshake failed: " + handshake.cause());
      }
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void message(byte type, ByteBuf buffer, int start, int length) {
    Message message = new Message(BackendType.of(type), buffer, start, length);
    switch (message.type()) {
      case AUTHENTICATION -> authentication().onRequest(Authentication.read(message.fields()));
      case ERROR_RESPONSE -> fail(ErrorFields.read(message));
      case NOTICE_RESPONSE -> ErrorFields.read(message); // of no concern, if it is one
      case NEGOTIATE_PROTOCOL_VERSION -> onNegotiation(message.fields());
      default -> {
        authentication().expectDone(message.type());
        onSessionMessage(message);
      }
    }
  }

  private void onNegotiation(BodyReader body) {
    ProtocolVersion newest = ProtocolVersion.ofWord(body.int32());
    if (newest.major() != version.major() || newest.minor() > version.minor()) {
      throw new ProtocolViolationException("negotiates protocol version " + newest);
    }
    version = newest;
  }

  private void onSessionMessage(Message message) {
    BodyReader body = message.fields();
    switch (message.type()) {
      case PARAMETER_STATUS -> {
        parameters.put(body.string(), body.string());
        body.expectEnd();
      }
      case BACKEND_KEY_DATA -> cancelKey = CancelKey.read(message);
      case READY_FOR_QUERY -> {
        if (TransactionStatus.of(body.int8()) != TransactionStatus.IDLE) {
          throw new ProtocolViolationException("begins in a transaction");
        }
        body.expectEnd();
        step = ServerLoginStep.READY;
        framer.pause();
      }
      default ->
          throw new ProtocolViolationException(
              message.type().messageName() + " is no part of a login");
    }
  }

  /** Keys are being derived (nothing may be read meanwhile), or have been. */
  private void onAuthStep(ServerAuthentication.Pace pace) {
    if (step != ServerLoginStep.STARTED) {
      return;
    }
    switch (pace) {
      case WAIT -> framer.pause();
      case GO_ON -> guarded(framer::resume);
    }
  }

  private void handOver(ChannelHandlerContext ctx) {
    ByteBuf rest = framer.takeRest();
    end();
    Settings settings = Settings.of(config.parameters()).withAll(Settings.ofReported(parameters));
    listener.onLoggedIn(ctx.channel(), new LoggedInServer(parameters, settings, cancelKey, host));
    if (rest != null) {
      ctx.fireChannelRead(rest);
    }
    ctx.pipeline().remove(this);
  }

  private void onTimeout() {
    fail("login to the server took longer than " + config.timeout().toMillis() + " ms");
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    fail("the server closed the connection during login");
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    end();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail("login to the server: " + cause);
  }

  private void fail(String reason) {
    fail(ErrorFields.error(SqlState.CONNECTION_FAILURE, reason));
  }

  private void fail(ErrorFields error) {
    if (step == ServerLoginStep.ENDED || context == null) {
      return;
    }
    end();
    context.close();
    listener.onLoginFailed(context.channel(), error);
  }

  private void end() {
    step = ServerLoginStep.ENDED;
    framer.close();
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private ServerAuthentication authentication() {
    if (authentication == null) {
      throw new IllegalStateException("nothing has been sent yet");
    }
    return authentication;
  }
}
