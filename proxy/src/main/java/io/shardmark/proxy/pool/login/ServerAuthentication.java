package io.shardmark.proxy.pool.login;

import com.ongres.scram.common.ScramFunctions;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.shardmark.config.Secret;
import io.shardmark.proxy.protocol.Authentication;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.scram.ScramClient;
import io.shardmark.proxy.protocol.scram.ScramClient.ScramAnswer;
import io.shardmark.proxy.protocol.scram.ScramKeys;
import io.shardmark.proxy.protocol.scram.ScramServer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers what one server asks before it lets us in: nothing, a password in clear text (over TLS
 * only), MD5, or SCRAM-SHA-256, which also proves the server.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
final class ServerAuthentication {
  /** Whether the messages that follow can be read. */
  enum Pace {
    WAIT,
    GO_ON
  }

  private enum AuthenticationStep {
    NOTHING_ASKED,
    PASSWORD_SENT,
    SASL_BEGUN,
    SASL_ANSWERED,
    SERVER_PROVED,
    DONE
  }

  private static final int NONCE_LENGTH = 24;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ChannelHandlerContext ctx;
  private final ServerAccount account;
  private final ServerLoginConfig config;
  private final Consumer<Pace> pace;
  private final ScramClient scram = new ScramClient("", ScramFunctions.nonce(NONCE_LENGTH, RANDOM));
  private AuthenticationStep step = AuthenticationStep.NOTHING_ASKED;

  /** To the server's challenge. */
  private @Nullable ScramAnswer answer;

  ServerAuthentication(
      ChannelHandlerContext ctx,
      ServerAccount account,
      ServerLoginConfig config,
      Consumer<Pace> pace) {
    this.ctx = ctx;
    this.account = account;
    this.config = config;
    this.pace = pace;
  }

  // Java 17 cannot switch over sealed types.
  void onRequest(Authentication request) {
    if (request instanceof Authentication.Ok) {
      onOk();
    } else if (request instanceof Authentication.Sasl sasl) {
      begin(sasl);
    } else if (request instanceof Authentication.SaslContinue challenge) {
      expect(AuthenticationStep.SASL_BEGUN, "AuthenticationSASLContinue");
      answer(challenge.data());
    } else if (request instanceof Authentication.SaslFinal proof) {
      expect(AuthenticationStep.SASL_ANSWERED, "AuthenticationSASLFinal");
      Objects.requireNonNull(answer).check(proof.data());
      step = AuthenticationStep.SERVER_PROVED;
    } else if (request instanceof Authentication.Md5Password md5) {
      expect(AuthenticationStep.NOTHING_ASKED, "AuthenticationMD5Password");
      sendPassword(md5Answer(account.user(), password(), md5.salt()));
    } else if (request instanceof Authentication.CleartextPassword) {
      expect(AuthenticationStep.NOTHING_ASKED, "AuthenticationCleartextPassword");
      sendCleartext();
    } else if (request instanceof Authentication.Other other) {
      throw refusal("the server asks for authentication method " + other.code());
    }
  }

  /** Only after the login may the server say anything of this kind. */
  void expectDone(BackendType type) {
    if (step != AuthenticationStep.DONE) {
      throw new ProtocolViolationException(type.messageName() + " before AuthenticationOk");
    }
  }

  private void onOk() {
    // A server that asked for SCRAM must have proved itself before it may let us in.
    boolean allowed =
        switch (step) {
          case NOTHING_ASKED, PASSWORD_SENT, SERVER_PROVED -> true;
          case SASL_BEGUN, SASL_ANSWERED, DONE -> false;
        };
    if (!allowed) {
      throw new ProtocolViolationException("AuthenticationOk out of turn");
    }
    step = AuthenticationStep.DONE;
  }

  private void begin(Authentication.Sasl request) {
    expect(AuthenticationStep.NOTHING_ASKED, "AuthenticationSASL");
    if (!request.mechanisms().contains(ScramServer.MECHANISM)) {
      throw refusal("the server offers none of our SASL mechanisms: " + request.mechanisms());
    }
    step = AuthenticationStep.SASL_BEGUN;
    ByteBuf out = ctx.alloc().buffer();
    FrontendMessages.saslInitialResponse(out, ScramServer.MECHANISM, scram.first());
    ctx.writeAndFlush(out);
  }

  private void answer(String serverFirst) {
    ScramClient.Challenge challenge = scram.challenge(serverFirst);
    ScramKeys keys = account.keysFor(challenge.salt(), challenge.iterations());
    if (keys != null) {
      answer(challenge, keys);
      return;
    }
    String password = password();
    pace.accept(Pace.WAIT);
    config
        .background()
        .execute(
            () -> {
              ScramKeys derived =
                  ScramKeys.derive(password, challenge.salt(), challenge.iterations());
              account.remember(derived);
              ctx.executor().execute(() -> goOn(challenge, derived));
            });
  }

  private void goOn(ScramClient.Challenge challenge, ScramKeys keys) {
    if (ctx.channel().isActive()) {
      answer(challenge, keys);
      pace.accept(Pace.GO_ON);
    }
  }

  private void answer(ScramClient.Challenge challenge, ScramKeys keys) {
    step = AuthenticationStep.SASL_ANSWERED;
    ScramAnswer made = scram.answer(challenge, keys);
    answer = made;
    ByteBuf out = ctx.alloc().buffer();
    FrontendMessages.saslResponse(out, made.text());
    ctx.writeAndFlush(out);
  }

  private void sendCleartext() {
    if (config.tls() == null) {
      throw refusal("the server asks for a password in clear text on a connection without TLS");
    }
    sendPassword(password());
  }

  private void sendPassword(String password) {
    step = AuthenticationStep.PASSWORD_SENT;
    ByteBuf out = ctx.alloc().buffer();
    FrontendMessages.password(out, password);
    ctx.writeAndFlush(out);
  }

  private String password() {
    return account
        .password()
        .map(Secret::value)
        .orElseThrow(
            () ->
                refusal(
                    account.isOfClient()
                        ? "the server's verifier of user \""
                            + account.user()
                            + "\" is not the one that the client has proved itself against"
                        : "the server asks user \"" + account.user() + "\" for a password"));
  }

  /** {@code "md5" + md5hex(md5hex(password + user) + salt)}. */
  static String md5Answer(String user, String password, Bytes salt) {
    byte[] inner = md5((password + user).getBytes(StandardCharsets.UTF_8), new byte[0]);
    byte[] innerHex = HexFormat.of().formatHex(inner).getBytes(StandardCharsets.US_ASCII);
    return "md5" + HexFormat.of().formatHex(md5(innerHex, salt.toArray()));
  }

  private static byte[] md5(byte[] first, byte[] second) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      digest.update(first);
      return digest.digest(second);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  private void expect(AuthenticationStep expected, String message) {
    if (step != expected) {
      throw new ProtocolViolationException(message + " out of turn");
    }
  }

  private static ProtocolViolationException refusal(String message) {
    return new ProtocolViolationException(SqlState.INVALID_AUTHORIZATION_SPECIFICATION, message);
  }
}
