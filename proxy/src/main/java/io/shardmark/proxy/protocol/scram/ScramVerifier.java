package io.shardmark.proxy.protocol.scram;

import com.ongres.scram.common.ScramFunctions;
import io.shardmark.proxy.protocol.Bytes;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server keeps instead of a password, as in pg_authid.rolpassword: {@code
 * SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>}.
 */
public record ScramVerifier(int iterations, Bytes salt, Bytes storedKey, Bytes serverKey) {
  /** PostgreSQL's default. */
  public static final int DEFAULT_ITERATIONS = 4096;

  /** PostgreSQL's length of a salt. */
  public static final int SALT_BYTES = 16;

  private static final Pattern FORM =
      Pattern.compile("SCRAM-SHA-256\\$(\\d{1,9}):([^$:]+)\\$([^$:]+):([^$:]+)");

  /**
   * Reads the stored form.
   *
   * @throws IllegalArgumentException if it is not that; the message does not repeat it
   */
  public static ScramVerifier parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw notVerifier();
    }
    Base64.Decoder decoder = Base64.getDecoder();
    byte[] storedKey = decoder.decode(matcher.group(3));
    byte[] serverKey = decoder.decode(matcher.group(4));
    int iterations = Integer.parseInt(matcher.group(1));
    boolean keyLengths =
        storedKey.length == ScramKeys.KEY_BYTES && serverKey.length == ScramKeys.KEY_BYTES;
    if (!keyLengths || iterations == 0) {
      throw notVerifier();
    }
    return new ScramVerifier(
        iterations,
        Bytes.of(decoder.decode(matcher.group(2))),
        Bytes.of(storedKey),
        Bytes.of(serverKey));
  }

  private static IllegalArgumentException notVerifier() {
    return new IllegalArgumentException(
        "not of the form SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>");
  }

  /** Whether a text looks like a verifier and not like a password. */
  public static boolean isVerifier(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * Makes one from a password; takes milliseconds, so not on an event loop.
   *
   * @param salt random, {@link #SALT_BYTES} long
   */
  public static ScramVerifier ofPassword(String password, Bytes salt) {
    ScramKeys keys = ScramKeys.derive(password, salt, DEFAULT_ITERATIONS);
    return new ScramVerifier(
        DEFAULT_ITERATIONS, salt, Bytes.of(keys.storedKey()), Bytes.of(keys.serverKey()));
  }

  /**
   * One that no password fits, for a user who does not exist: the exchange with it looks like any
   * other, and the same each time, so that nobody can find out which names there are.
   *
   * @param secret of this process
   */
  public static ScramVerifier mock(Bytes secret, String user) {
    byte[] seed = ScramFunctions.serverSignature(ScramKeys.MECHANISM, secret.toArray(), user);
    byte[] key = ScramFunctions.serverSignature(ScramKeys.MECHANISM, seed, "no password");
    return new ScramVerifier(
        DEFAULT_ITERATIONS,
        Bytes.of(Arrays.copyOf(seed, SALT_BYTES)),
        Bytes.of(key),
        Bytes.of(key));
  }

  /** The stored form. */
  public String stored() {
    Base64.Encoder encoder = Base64.getEncoder();
    return "SCRAM-SHA-256$%d:%s$%s:%s"
        .formatted(
            iterations,
            encoder.encodeToString(salt.toArray()),
            encoder.encodeToString(storedKey.toArray()),
            encoder.encodeToString(serverKey.toArray()));
  }

  @Override
  public String toString() {
    return "ScramVerifier[...]";
  }
}
