package io.shardmark.driver.idle;

import com.ongres.scram.common.ClientFinalMessage;
import com.ongres.scram.common.ClientFirstMessage;
import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import com.ongres.scram.common.ServerFinalMessage;
import com.ongres.scram.common.ServerFirstMessage;
import com.ongres.scram.common.exception.ScramParseException;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** One login by SCRAM-SHA-256 without channel binding: three texts out, two in. Pure. */
final class ScramLogin {
  static final ScramMechanism SHA_256 = ScramMechanism.SCRAM_SHA_256;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_LENGTH = 24;

  /** PostgreSQL takes the user's name from the startup message. */
  private static final String ANY_USER = "*";

  /** As the library has it. */
  private static final byte @Nullable [] NO_BINDING = null;

  private final SaltedPasswords passwords;
  private final ClientFirstMessage first =
      new ClientFirstMessage(ANY_USER, ScramFunctions.nonce(NONCE_LENGTH, RANDOM));
  private byte @Nullable [] salted;
  private String texts = "";

  ScramLogin(SaltedPasswords passwords) {
    this.passwords = passwords;
  }

  String clientFirst() {
    return first.toString();
  }

  /** The proof, for what the server answered to {@link #clientFirst}. */
  String clientFinal(String serverFirst) throws LoginRefused {
    try {
      ServerFirstMessage server = ServerFirstMessage.parseFrom(serverFirst, first.getClientNonce());
      byte[] password =
          passwords.of(Base64.getDecoder().decode(server.getSalt()), server.getIterationCount());
      salted = password;
      texts = ScramFunctions.authMessage(first, server, NO_BINDING);
      byte[] key = ScramFunctions.clientKey(SHA_256, password);
      byte[] signature =
          ScramFunctions.clientSignature(SHA_256, ScramFunctions.storedKey(SHA_256, key), texts);
      return new ClientFinalMessage(
              first.getGs2Header(),
              NO_BINDING,
              server.getNonce(),
              ScramFunctions.clientProof(key, signature))
          .toString();
    } catch (ScramParseException | IllegalArgumentException e) {
      throw new LoginRefused("sends an invalid SCRAM message");
    }
  }

  /** The server's last text: it must know the password too. */
  void check(String serverFinal) throws LoginRefused {
    try {
      ServerFinalMessage last = ServerFinalMessage.parseFrom(serverFinal);
      if (salted == null
          || last.isError()
          || !ScramFunctions.verifyServerSignature(
              SHA_256, ScramFunctions.serverKey(SHA_256, salted), texts, last.getVerifier())) {
        throw new LoginRefused("does not know the password that it asks for");
      }
    } catch (ScramParseException | IllegalArgumentException e) {
      throw new LoginRefused("sends an invalid SCRAM message");
    }
  }
}
