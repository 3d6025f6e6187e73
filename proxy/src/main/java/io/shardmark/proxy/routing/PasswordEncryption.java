package io.shardmark.proxy.routing;

import java.util.Locale;
import java.util.Set;

/**
 * Over several shards a role has one verifier, which the proxy makes by SCRAM: a client that asks
 * for another kind would not get it. Pure; for all threads.
 */
public final class PasswordEncryption {
  /** The parameter that says so. */
  public static final String NAME = "password_encryption";

  public static final String REFUSED =
      NAME + " must be scram-sha-256 over several shards: the proxy makes the verifiers of roles";

  static final String HINT = "Give CREATE ROLE or ALTER ROLE the MD5 hash as the password.";

  private static final Set<String> SCRAM = Set.of("scram-sha-256", "default");

  private PasswordEncryption() {}

  /** Whether a value of the parameter asks for SCRAM. */
  public static boolean isScram(String value) {
    return SCRAM.contains(value.strip().toLowerCase(Locale.ROOT));
  }
}
