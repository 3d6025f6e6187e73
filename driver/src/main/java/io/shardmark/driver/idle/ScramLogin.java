package io.shardmark.driver.idle;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** One login by SCRAM-SHA-256 without channel binding: three texts out, two in. Pure. */
final class ScramLogin {
  static final String MECHANISM = "SCRAM-SHA-256";

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_BYTES = 18;

  /** That a client supports no channel binding; in Base64 it begins the last message. */
  private static final String NO_BINDING = "n,,";

  private final ScramKeys keys;

  /** PostgreSQL takes the user's name from the startup message. */
  private final String first;

  private final String nonce;
  private byte[] expectedSignature = {};

  ScramLogin(ScramKeys keys) {
    this.keys = keys;
    byte[] random = new byte[NONCE_BYTES];
    RANDOM.nextBytes(random);
    nonce = Base64.getEncoder().encodeToString(random);
    first = "n=,r=" + nonce;
  }

  String clientFirst() {
    return NO_BINDING + first;
  }

  /** The proof, for what the server answered to {@link #clientFirst}. */
  String clientFinal(String serverFirst) throws LoginRefused {
    String[] parts = serverFirst.split(",", -1);
    if (parts.length < 3
        || !parts[0].startsWith("r=" + nonce)
        || !parts[1].startsWith("s=")
        || !parts[2].matches("i=\\d{1,9}")) {
      throw new LoginRefused("sends a SCRAM message that is none");
    }
    String salt = parts[1].substring(2);
    ScramKeys.Keys derived = keys.of(salt, bytes(salt), Integer.parseInt(parts[2].substring(2)));
    String withoutProof =
        "c="
            + Base64.getEncoder().encodeToString(NO_BINDING.getBytes(StandardCharsets.US_ASCII))
            + ","
            + parts[0];
    String all = first + "," + serverFirst + "," + withoutProof;
    expectedSignature = derived.signature(all);
    return withoutProof + ",p=" + Base64.getEncoder().encodeToString(derived.proof(all));
  }

  /** The server's last text: it must know the password too. */
  void check(String serverFinal) throws LoginRefused {
    if (!serverFinal.startsWith("v=")
        || !MessageDigest.isEqual(bytes(serverFinal.substring(2)), expectedSignature)) {
      throw new LoginRefused("does not know the password that it asks for");
    }
  }

  private static byte[] bytes(String base64) throws LoginRefused {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new LoginRefused("sends a SCRAM message that is none");
    }
  }
}
