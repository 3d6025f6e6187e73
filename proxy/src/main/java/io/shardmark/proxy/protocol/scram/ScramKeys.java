package io.shardmark.proxy.protocol.scram;

import com.ongres.saslprep.SASLprep;
import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What a password and a server's salt give: enough to log in, so as secret as the password. Making
 * it takes milliseconds, so it is kept and made off the event loops.
 */
public final class ScramKeys {
  static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA_256;
  static final int KEY_BYTES = 32;

  private final Bytes salt;
  private final int iterations;
  private final byte[] clientKey;
  private final byte[] serverKey;

  private ScramKeys(Bytes salt, int iterations, byte[] clientKey, byte[] serverKey) {
    this.salt = salt;
    this.iterations = iterations;
    this.clientKey = clientKey;
    this.serverKey = serverKey;
  }

  /**
   * From a client's proof, which the client's key can be computed from.
   *
   * @throws ProtocolViolationException with 28P01 if the client does not know the password
   */
  static ScramKeys ofProof(ScramVerifier verifier, byte[] proof, String authMessage) {
    byte[] storedKey = verifier.storedKey().toArray();
    // The proof is the key XOR the signature, so the key is the proof XOR the signature.
    byte[] clientKey =
        ScramFunctions.clientProof(
            proof, ScramFunctions.clientSignature(MECHANISM, storedKey, authMessage));
    // isEqual takes the same time wherever they differ.
    if (!MessageDigest.isEqual(ScramFunctions.storedKey(MECHANISM, clientKey), storedKey)) {
      throw new ProtocolViolationException(
          SqlState.INVALID_PASSWORD, "password authentication failed");
    }
    return new ScramKeys(
        verifier.salt(), verifier.iterations(), clientKey, verifier.serverKey().toArray());
  }

  /** Takes time in proportion to {@code iterations}: a few milliseconds for 4096. */
  public static ScramKeys derive(String password, Bytes salt, int iterations) {
    byte[] salted = salted(prepared(password), salt.toArray(), iterations);
    return new ScramKeys(
        salt,
        iterations,
        ScramFunctions.clientKey(MECHANISM, salted),
        ScramFunctions.serverKey(MECHANISM, salted));
  }

  /** Hi() of RFC 5802: the library's own takes nothing that it cannot prepare itself. */
  private static byte[] salted(String prepared, byte[] salt, int iterations) {
    try {
      PBEKeySpec spec =
          new PBEKeySpec(prepared.toCharArray(), salt, iterations, Byte.SIZE * KEY_BYTES);
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no PBKDF2 with SHA-256", e);
    }
  }

  /**
   * A password made comparable (RFC 4013) as PostgreSQL does it: one that cannot be prepared is
   * used as it is.
   */
  static String prepared(String password) {
    try {
      // In two tables of RFC 3454; PostgreSQL looks at the spaces first, the library at the others.
      return new SASLprep().prepareStored(password.replace('\u200B', ' '));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return password; // the latter is the library's answer where nothing is left
    }
  }

  /** Whether they were derived with these. */
  public boolean isFor(Bytes otherSalt, int otherIterations) {
    return iterations == otherIterations && salt.equals(otherSalt);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScramKeys keys
        && isFor(keys.salt, keys.iterations)
        && MessageDigest.isEqual(clientKey, keys.clientKey)
        && MessageDigest.isEqual(serverKey, keys.serverKey);
  }

  @Override
  public int hashCode() {
    return salt.hashCode();
  }

  /** That the client knows the password. */
  byte[] proof(String authMessage) {
    return ScramFunctions.clientProof(
        clientKey, ScramFunctions.clientSignature(MECHANISM, storedKey(), authMessage));
  }

  /** That the server knows it. */
  byte[] serverSignature(String authMessage) {
    return ScramFunctions.serverSignature(MECHANISM, serverKey, authMessage);
  }

  byte[] serverKey() {
    return serverKey.clone();
  }

  byte[] storedKey() {
    return ScramFunctions.storedKey(MECHANISM, clientKey);
  }
}
