package io.shardmark.proxy.session.login;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.StartupPacket;
import io.shardmark.proxy.protocol.scram.ScramKeys;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of a client's channel: answers SSLRequest, begins TLS, reads the startup
 * packet, authenticates (PG18 §54.2.2 protocol-flow-start-up), then leaves the pipeline. A client
 * that fails gets one FATAL error and is closed. Asks for each read itself, as all handlers here
 * do.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
public final class ClientLogin extends ChannelInboundHandlerAdapter {
  /** What comes of a login. Called on the channel's event loop, once. */
  public interface ClientLoginListener {
    /**
     * The client is in. AuthenticationOk is written but not flushed; ParameterStatus,
     * BackendKeyData and ReadyForQuery are still owed. The listener adds its own handler here, at
     * the end of the pipeline; what the client has sent already is fired to it afterwards.
     */
    void onAuthenticated(Channel channel, AuthenticatedClient client);

    /**
     * The client is closed for this, and has got the reason unless it does not speak the protocol.
     */
    default void onFailed(ErrorFields error) {}

    /** A CancelRequest came. The listener closes the channel when it has been delivered. */
    void onCancel(Channel channel, CancelKey key);
  }

  private enum ClientLoginStep {
    STARTUP,
    SASL,
    AUTHENTICATED,
    CANCELLING,
    ENDED
  }

  /** How the client came to TLS. */
  private enum TlsRequest {
    NOT_YET,
    /** By an SSLRequest. */
    ASKED,
    /** By a handshake without one. */
    UNASKED
  }

  private static final byte TLS_YES = 'S';
  private static final byte TLS_NO = 'N';
  private static final Set<String> NO_REPLICATION = Set.of("false", "off", "no", "0");

  private static final ErrorFields NO_PACKET =
      ErrorFields.fatal(SqlState.PROTOCOL_VIOLATION, "invalid length of startup packet");

  private final ClientLoginConfig config;
  private final ClientLoginListener listener;
  private ClientLoginStep step = ClientLoginStep.STARTUP;
  private @Nullable ByteBuf received;
  private @Nullable SaslExchange sasl;
  private StartupPacket.@Nullable Startup startup;
  private @Nullable ScramKeys scramKeys;
  private @Nullable Future<?> timer;
  private TlsRequest tlsRequest = TlsRequest.NOT_YET;

  public ClientLogin(ClientLoginConfig config, ClientLoginListener listener) {
    this.config = config;
    this.listener = listener;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    timer =
        ctx.executor()
            .schedule(() -> onTimeout(ctx), config.timeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.read();
    ctx.fireChannelActive();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (step != ClientLoginStep.ENDED) {
      ctx.read();
    }
    ctx.fireChannelReadComplete();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    end();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    end();
    ctx.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      switch (step) {
        case STARTUP -> readStartup(ctx, in);
        case SASL -> saslExchange().read(in);
        case AUTHENTICATED, CANCELLING, ENDED -> in.release();
      }
    } catch (ProtocolViolationException e) {
      fail(ctx, refusal(e));
    }
    if (step == ClientLoginStep.AUTHENTICATED) {
      handOver(ctx);
    }
  }

  private void readStartup(ChannelHandlerContext ctx, ByteBuf in) {
    ByteBuf bytes = in;
    if (received != null) {
      bytes = received.writeBytes(in);
      in.release();
    }
    received = bytes;
    if (beginsTlsUnasked(ctx, bytes)) {
      received = null;
      tlsRequest = TlsRequest.UNASKED;
      addTls(ctx);
      // This handler is the channel's first, so what is fired now meets TLS.
      ctx.pipeline().fireChannelRead(bytes);
      ctx.pipeline().fireChannelReadComplete();
      return;
    }
    readPackets(ctx, bytes);
    if (step == ClientLoginStep.STARTUP) {
      received = compacted(bytes);
    } else if (step == ClientLoginStep.SASL) {
      received = null;
      saslExchange().read(bytes);
    }
  }

  private void readPackets(ChannelHandlerContext ctx, ByteBuf bytes) {
    while (step == ClientLoginStep.STARTUP) {
      if (!StartupPacket.canRead(bytes)) {
        end();
        listener.onFailed(NO_PACKET);
        ctx.close();
        return;
      }
      StartupPacket packet = StartupPacket.read(bytes);
      if (packet == null) {
        return;
      }
      onPacket(ctx, packet, bytes);
    }
  }

  /** What is kept between reads is as small as it can be: there may be very many strangers. */
  private static @Nullable ByteBuf compacted(ByteBuf bytes) {
    ByteBuf kept = null;
    if (bytes.isReadable()) {
      kept = bytes.alloc().buffer(bytes.readableBytes()).writeBytes(bytes);
    }
    bytes.release();
    return kept;
  }

  private boolean beginsTlsUnasked(ChannelHandlerContext ctx, ByteBuf bytes) {
    return config.tls() != null
        && tlsRequest != TlsRequest.ASKED
        && ctx.pipeline().get(SslHandler.class) == null
        && bytes.isReadable()
        && bytes.getByte(bytes.readerIndex()) == StartupPacket.TLS_HANDSHAKE;
  }

  // Java 17 cannot switch over sealed types.
  private void onPacket(ChannelHandlerContext ctx, StartupPacket packet, ByteBuf rest) {
    if (packet instanceof StartupPacket.Startup begin) {
      onStartup(ctx, begin);
    } else if (packet instanceof StartupPacket.Cancel cancel) {
      step = ClientLoginStep.CANCELLING;
      listener.onCancel(ctx.channel(), cancel.key());
    } else if (packet instanceof StartupPacket.SslRequest) {
      onSslRequest(ctx, rest);
    } else {
      answer(ctx, TLS_NO);
    }
  }

  private void onSslRequest(ChannelHandlerContext ctx, ByteBuf rest) {
    if (tlsRequest == TlsRequest.ASKED || ctx.pipeline().get(SslHandler.class) != null) {
      throw new ProtocolViolationException("TLS is asked for twice");
    }
    tlsRequest = TlsRequest.ASKED;
    if (config.tls() == null) {
      answer(ctx, TLS_NO);
      return;
    }
    if (rest.isReadable()) {
      // Bytes in clear text that would be taken for the client's own after the handshake.
      throw new ProtocolViolationException("received unencrypted data after SSLRequest");
    }
    answer(ctx, TLS_YES);
    addTls(ctx);
  }

  private static void answer(ChannelHandlerContext ctx, byte code) {
    ctx.writeAndFlush(ctx.alloc().buffer(1).writeByte(code));
  }

  private void addTls(ChannelHandlerContext ctx) {
    SslContext tls = config.tls();
    if (tls == null) {
      throw new IllegalStateException("TLS is not configured");
    }
    ctx.pipeline().addBefore(ctx.name(), "tls", tls.newHandler(ctx.alloc()));
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      onHandshake(ctx, handshake);
    }
    ctx.fireUserEventTriggered(event);
  }

  private void onHandshake(ChannelHandlerContext ctx, SslHandshakeCompletionEvent handshake) {
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (!handshake.isSuccess() || tls == null) {
      ctx.close();
    } else if (tlsRequest == TlsRequest.UNASKED
        && !TlsForClients.ALPN.equals(tls.applicationProtocol())) {
      // PG18 §54.2.2: without ALPN a server of another protocol could be made to talk to us.
      fail(
          ctx,
          ErrorFields.fatal(
              SqlState.PROTOCOL_VIOLATION, "direct TLS connection without ALPN \"postgresql\""));
    }
  }

  private void onStartup(ChannelHandlerContext ctx, StartupPacket.Startup packet) {
    if (config.requiresTls() && ctx.pipeline().get(SslHandler.class) == null) {
      refuse("connections without TLS are not allowed");
    }
    Map<String, String> parameters = packet.parameters();
    String user = parameters.getOrDefault("user", "");
    if (user.isEmpty()) {
      refuse("no PostgreSQL user name specified in startup packet");
    }
    String replication = parameters.getOrDefault("replication", "false");
    if (!NO_REPLICATION.contains(replication.toLowerCase(Locale.ROOT))) {
      throw new ProtocolViolationException(
          SqlState.FEATURE_NOT_SUPPORTED, "replication connections are not supported");
    }
    startup = packet;
    if (packet.needsNegotiation()) {
      ByteBuf out = ctx.alloc().buffer();
      BackendMessages.negotiateProtocolVersion(
          out, packet.spokenVersion().minor(), packet.protocolOptions());
      ctx.write(out);
    }
    authenticate(ctx, user);
  }

  private static void refuse(String message) {
    throw new ProtocolViolationException(SqlState.INVALID_AUTHORIZATION_SPECIFICATION, message);
  }

  private void authenticate(ChannelHandlerContext ctx, String user) {
    Credential credential = config.credentials().find(user);
    if (credential instanceof Credential.Trust) {
      step = ClientLoginStep.AUTHENTICATED;
      return;
    }
    step = ClientLoginStep.SASL;
    sasl = new SaslExchange(ctx, user, credential, this::onProved);
    sasl.begin();
  }

  private void onProved(ScramKeys keys) {
    scramKeys = keys;
    step = ClientLoginStep.AUTHENTICATED;
  }

  private void handOver(ChannelHandlerContext ctx) {
    StartupPacket.Startup packet = startup;
    if (packet == null) {
      throw new IllegalStateException("authenticated without a startup packet");
    }
    ByteBuf rest = sasl == null ? received : sasl.takeRest();
    received = null;
    ByteBuf out = ctx.alloc().buffer();
    BackendMessages.authenticationOk(out);
    ctx.write(out);
    listener.onAuthenticated(ctx.channel(), client(packet));
    if (rest != null && rest.isReadable()) {
      ctx.fireChannelRead(rest);
    } else if (rest != null) {
      rest.release();
    }
    ctx.pipeline().remove(this);
  }

  private AuthenticatedClient client(StartupPacket.Startup packet) {
    Map<String, String> parameters = new LinkedHashMap<>(packet.parameters());
    String user = String.valueOf(parameters.remove("user"));
    String database = parameters.remove("database");
    parameters.remove("replication");
    return new AuthenticatedClient(
        user,
        database == null || database.isEmpty() ? user : database,
        parameters,
        packet.spokenVersion(),
        scramKeys);
  }

  private ErrorFields refusal(ProtocolViolationException e) {
    if (startup == null || !e.sqlState().equals(SqlState.INVALID_PASSWORD)) {
      return ErrorFields.of(e);
    }
    config.credentials().refused();
    return ErrorFields.fatal(
        SqlState.INVALID_PASSWORD,
        "password authentication failed for user \"" + startup.parameters().get("user") + '"');
  }

  private void onTimeout(ChannelHandlerContext ctx) {
    if (step == ClientLoginStep.CANCELLING) {
      ctx.close();
    } else if (step != ClientLoginStep.ENDED) {
      fail(
          ctx,
          ErrorFields.fatal(
              SqlState.QUERY_CANCELED,
              "login took longer than " + config.timeout().toSeconds() + " s"));
    }
  }

  private void fail(ChannelHandlerContext ctx, ErrorFields error) {
    end();
    listener.onFailed(error);
    refuse(ctx.channel(), error);
  }

  /** Writes a client why its connection is closed. */
  public static void refuse(Channel channel, ErrorFields error) {
    ByteBuf out = channel.alloc().buffer();
    BackendMessages.errorResponse(out, error);
    channel.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // The link or TLS failed; no client is left.
    ctx.close();
  }

  private void end() {
    step = ClientLoginStep.ENDED;
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
    if (received != null) {
      received.release();
      received = null;
    }
    if (sasl != null) {
      sasl.close();
      sasl = null;
    }
  }

  private SaslExchange saslExchange() {
    if (sasl == null) {
      throw new IllegalStateException("no SASL exchange");
    }
    return sasl;
  }
}
