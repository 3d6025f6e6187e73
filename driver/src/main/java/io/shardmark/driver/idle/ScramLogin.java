package io.shardmark.driver.idle;

import com.ongres.scram.common.ClientFinalMessage;
import com.ongres.scram.common.ClientFirstMessage;
import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ServerFinalMessage;
import com.ongres.scram.common.ServerFirstMessage;
import com.ongres.scram.common.exception.ScramParseException;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** One login by SCRAM-SHA-256 without channel binding: three texts out, two in. Pure. */
final class ScramLogin {
  static final String MECHANISM = ScramKeys.MECHANISM.getName();

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_LENGTH = 24;

  /** PostgreSQL takes the user's name from the startup message. */
  private static final String ANY_USER = "*";

  /** As the library has it. */
  private static final byte @Nullable [] NO_BINDING = null;

  private final ScramKeys keys;
  private final ClientFirstMessage first =
      new ClientFirstMessage(ANY_USER, ScramFunctions.nonce(NONCE_LENGTH, RANDOM));
  private ScramKeys.@Nullable Keys derived;
  private String texts = "";

  ScramLogin(ScramKeys keys) {
    this.keys = keys;
  }

  String clientFirst() {
    return first.toString();
  }

  /** The proof, for what the server answered to {@link #clientFirst}. */
  String clientFinal(String serverFirst) throws LoginRefused {
    try {
      ServerFirstMessage server = ServerFirstMessage.parseFrom(serverFirst, first.getClientNonce());
      ScramKeys.Keys ofSalt =
          keys.of(Base64.getDecoder().decode(server.getSalt()), server.getIterationCount());
      derived = ofSalt;
      texts = ScramFunctions.authMessage(first, server, NO_BINDING);
      return new ClientFinalMessage(
              first.getGs2Header(), NO_BINDING, server.getNonce(), ofSalt.proof(texts))
          .toString();
    } catch (ScramParseException | IllegalArgumentException e) {
      throw new LoginRefused("sends a SCRAM message that is none");
    }
  }

  /** The server's last text: it must know the password too. */
  void check(String serverFinal) throws LoginRefused {
    try {
      ServerFinalMessage last = ServerFinalMessage.parseFrom(serverFinal);
      if (derived == null || last.isError() || !derived.isSignature(last.getVerifier(), texts)) {
        throw new LoginRefused("does not know the password that it asks for");
      }
    } catch (ScramParseException | IllegalArgumentException e) {
      throw new LoginRefused("sends a SCRAM message that is none");
    }
  }
}
