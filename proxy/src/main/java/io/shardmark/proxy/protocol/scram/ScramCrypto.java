package io.shardmark.proxy.protocol.scram;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The functions of RFC 5802 section 2.2, with SHA-256. */
final class ScramCrypto {
  static final int KEY_BYTES = 32;
  private static final String HMAC = "HmacSHA256";

  private ScramCrypto() {}

  static byte[] hmac(byte[] key, byte[] data) {
    return mac(key).doFinal(data);
  }

  static byte[] hmac(byte[] key, String text) {
    return hmac(key, text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] hash(byte[] data) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(data);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Hi(): PBKDF2 with an output of one block. */
  static byte[] saltedPassword(byte[] password, byte[] salt, int iterations) {
    Mac mac = mac(password);
    mac.update(salt);
    byte[] block = mac.doFinal(new byte[] {0, 0, 0, 1});
    byte[] result = block.clone();
    for (int i = 1; i < iterations; i++) {
      block = mac.doFinal(block);
      xorInto(result, block);
    }
    return result;
  }

  static byte[] xor(byte[] a, byte[] b) {
    byte[] result = a.clone();
    xorInto(result, b);
    return result;
  }

  private static void xorInto(byte[] target, byte[] other) {
    for (int i = 0; i < target.length; i++) {
      target[i] ^= other[i];
    }
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      // An empty key is legal in HMAC, but SecretKeySpec refuses it; a zero byte is the same key.
      mac.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }
}
