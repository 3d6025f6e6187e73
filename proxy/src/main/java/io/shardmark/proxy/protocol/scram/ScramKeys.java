package io.shardmark.proxy.protocol.scram;

import io.shardmark.proxy.protocol.Bytes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * What a password and a server's salt give: enough to log in, so as secret as the password. Making
 * it takes milliseconds, so it is kept and made off the event loops.
 */
public final class ScramKeys {
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

  /** From a proof that has just been found right: the client's key can be computed from it. */
  static ScramKeys ofProof(ScramVerifier verifier, byte[] clientKey) {
    return new ScramKeys(
        verifier.salt(), verifier.iterations(), clientKey, verifier.serverKey().toArray());
  }

  /** Takes time in proportion to {@code iterations}: about 2 ms for 4096. */
  public static ScramKeys derive(String password, Bytes salt, int iterations) {
    byte[] prepared = SaslPrep.prepare(password).getBytes(StandardCharsets.UTF_8);
    byte[] salted = ScramCrypto.saltedPassword(prepared, salt.toArray(), iterations);
    return new ScramKeys(
        salt,
        iterations,
        ScramCrypto.hmac(salted, "Client Key"),
        ScramCrypto.hmac(salted, "Server Key"));
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

  byte[] clientKey() {
    return clientKey.clone();
  }

  byte[] serverKey() {
    return serverKey.clone();
  }

  byte[] storedKey() {
    return ScramCrypto.hash(clientKey);
  }
}
