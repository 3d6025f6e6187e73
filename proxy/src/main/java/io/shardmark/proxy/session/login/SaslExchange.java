package io.shardmark.proxy.session.login;

import com.ongres.scram.common.ScramFunctions;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.FrontendType;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SaslInitialResponse;
import io.shardmark.proxy.protocol.scram.ScramKeys;
import io.shardmark.proxy.protocol.scram.ScramServer;
import io.shardmark.proxy.protocol.scram.ScramVerifier;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * SCRAM-SHA-256 with one client (PG18 §54.3 sasl-authentication): AuthenticationSASL, then twice an
 * answer and a reply. A user who does not exist goes through the same steps.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
final class SaslExchange implements MessageFramer.FrameListener {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** As random as PostgreSQL's. */
  private static final int NONCE_LENGTH = 24;

  /** Of this process, for users who do not exist. */
  private static final Bytes MOCK_SECRET = Bytes.of(ScramFunctions.salt(32, RANDOM));

  private final ChannelHandlerContext ctx;
  private final ScramVerifier verifier;
  private final Consumer<ScramKeys> onProved;
  private final MessageFramer framer = new MessageFramer(this, MessageLimits.login());

  /** From the client's first message on. */
  private @Nullable ScramServer scram;

  SaslExchange(
      ChannelHandlerContext ctx,
      String user,
      @Nullable Credential credential,
      Consumer<ScramKeys> onProved) {
    this.ctx = ctx;
    this.onProved = onProved;
    this.verifier =
        credential instanceof Credential.Scram known
            ? known.verifier()
            : ScramVerifier.mock(MOCK_SECRET, user);
  }

  void begin() {
    ByteBuf out = ctx.alloc().buffer();
    BackendMessages.authenticationSasl(out, List.of(ScramServer.MECHANISM));
    ctx.writeAndFlush(out);
  }

  /** Takes ownership. */
  void read(ByteBuf in) {
    framer.read(in);
  }

  /** What the client sent after its last answer; owned by the caller. */
  @Nullable ByteBuf takeRest() {
    return framer.takeRest();
  }

  void close() {
    framer.close();
  }

  @Override
  public void message(byte type, ByteBuf buffer, int start, int length) {
    if (FrontendType.of(type) == FrontendType.TERMINATE) {
      framer.close();
      ctx.close();
      return;
    }
    if (scram == null) {
      first(SaslInitialResponse.read(buffer, start, length));
    } else {
      last(scram.last(SaslInitialResponse.readContinuation(buffer, start, length)));
    }
  }

  private void first(SaslInitialResponse response) {
    if (!response.mechanism().equals(ScramServer.MECHANISM)) {
      throw new ProtocolViolationException("client selected an invalid SASL mechanism");
    }
    String nonce = ScramFunctions.nonce(NONCE_LENGTH, RANDOM);
    ScramServer begun = new ScramServer(verifier, nonce, response.clientFirst());
    scram = begun;
    ByteBuf out = ctx.alloc().buffer();
    BackendMessages.authenticationSaslContinue(out, begun.challenge());
    ctx.writeAndFlush(out);
  }

  private void last(ScramServer.Proved proved) {
    framer.pause();
    ByteBuf out = ctx.alloc().buffer();
    BackendMessages.authenticationSaslFinal(out, proved.text());
    ctx.write(out);
    onProved.accept(proved.keys());
  }
}
