package io.shardmark.driver.idle;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import com.ongres.scram.common.StringPreparation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What SCRAM-SHA-256 (RFC 5802, RFC 7677) derives from one password. A server has one salt for a
 * user, so that the thousands of rounds are done once for each server and not for each session, as
 * the library's own client would. Used by one thread.
 */
final class ScramKeys {
  static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA_256;

  /** PostgreSQL's default is 4096; more than this keeps a session from logging in at all. */
  private static final int MOST_ROUNDS = 1_000_000;

  private final char[] password;
  private final Map<String, Keys> known = new HashMap<>();

  /** What proves to the server, and what the server proves, that the password is known. */
  static final class Keys {
    private final byte[] client;
    private final byte[] server;

    private Keys(byte[] salted) {
      client = ScramFunctions.clientKey(MECHANISM, salted);
      server = ScramFunctions.serverKey(MECHANISM, salted);
    }

    /** The client's proof for the texts of a login. */
    byte[] proof(String texts) {
      byte[] stored = ScramFunctions.storedKey(MECHANISM, client);
      return ScramFunctions.clientProof(
          client, ScramFunctions.clientSignature(MECHANISM, stored, texts));
    }

    /** True if that is the server's signature of the texts of a login. */
    boolean isSignature(byte[] signature, String texts) {
      return ScramFunctions.verifyServerSignature(MECHANISM, server, texts, signature);
    }
  }

  ScramKeys(String password) {
    this.password = password.toCharArray();
  }

  Keys of(byte[] salt, int rounds) throws LoginRefused {
    if (rounds > MOST_ROUNDS) {
      throw new LoginRefused("asks for %d rounds of SCRAM".formatted(rounds));
    }
    if (password.length == 0) {
      throw new LoginRefused("asks for a password, and the key password is empty");
    }
    return known.computeIfAbsent(
        rounds + Arrays.toString(salt),
        key ->
            new Keys(
                ScramFunctions.saltedPassword(
                    MECHANISM, StringPreparation.POSTGRESQL_PREPARATION, password, salt, rounds)));
  }
}
