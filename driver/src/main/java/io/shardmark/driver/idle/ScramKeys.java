package io.shardmark.driver.idle;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What SCRAM-SHA-256 (RFC 5802, RFC 7677) derives from one password. A server has one salt for a
 * user, so that the thousands of rounds are done once for each server and not for each session.
 * Used by one thread.
 */
final class ScramKeys {
  /** PostgreSQL's default is 4096; more than this keeps a session from logging in at all. */
  private static final int MOST_ROUNDS = 1_000_000;

  private static final String HMAC = "HmacSHA256";

  private final byte[] password;
  private final Map<String, Keys> known = new HashMap<>();

  /** What proves to the server, and what the server proves, that the password is known. */
  static final class Keys {
    private final byte[] client;
    private final byte[] server;

    private Keys(byte[] client, byte[] server) {
      this.client = client;
      this.server = server;
    }

    /** The client's proof for the texts of a login. */
    byte[] proof(String texts) {
      byte[] proof = hmac(sha256(client), texts);
      for (int i = 0; i < proof.length; i++) {
        proof[i] ^= client[i];
      }
      return proof;
    }

    /** The server's signature of the texts of a login. */
    byte[] signature(String texts) {
      return hmac(server, texts);
    }
  }

  ScramKeys(String password) {
    // What SASLprep (RFC 4013) does to a password without characters that it forbids.
    this.password =
        Normalizer.normalize(password, Normalizer.Form.NFKC).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @param salt in Base64, as the server sends it
   */
  Keys of(String salt, byte[] saltBytes, int rounds) throws LoginRefused {
    if (rounds < 1 || rounds > MOST_ROUNDS) {
      throw new LoginRefused("asks for %d rounds of SCRAM".formatted(rounds));
    }
    return known.computeIfAbsent(rounds + "," + salt, key -> derive(saltBytes, rounds));
  }

  private Keys derive(byte[] salt, int rounds) {
    Mac mac = mac(password);
    mac.update(salt);
    byte[] round = mac.doFinal(new byte[] {0, 0, 0, 1});
    byte[] salted = round.clone();
    for (int i = 1; i < rounds; i++) {
      round = mac.doFinal(round);
      for (int at = 0; at < salted.length; at++) {
        salted[at] ^= round[at];
      }
    }
    return new Keys(hmac(salted, "Client Key"), hmac(salted, "Server Key"));
  }

  private static byte[] hmac(byte[] key, String text) {
    return mac(key).doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      // An empty key is no key to the JDK, but the same as a zero to HMAC.
      mac.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + HMAC, e);
    }
  }
}
