package io.shardmark.proxy.session.login;

import com.ongres.scram.common.ScramFunctions;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.scram.ScramVerifier;
import java.security.SecureRandom;

/** What a client must show. */
public sealed interface Credential {
  /** Nothing: the name is believed. */
  record Trust() implements Credential {}

  /** That it knows the password this verifier was made of. */
  record Scram(ScramVerifier verifier) implements Credential {}

  /** From a clear password; takes milliseconds, so it is done when users are read, not at login. */
  static Credential ofPassword(String password, SecureRandom random) {
    byte[] salt = ScramFunctions.salt(ScramVerifier.SALT_BYTES, random);
    return new Scram(ScramVerifier.ofPassword(password, Bytes.of(salt)));
  }
}
