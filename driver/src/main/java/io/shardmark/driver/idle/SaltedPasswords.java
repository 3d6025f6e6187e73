package io.shardmark.driver.idle;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.StringPreparation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What SCRAM-SHA-256 (RFC 5802, RFC 7677) makes of one password and a salt. A server has one salt
 * for a user, so that the thousands of rounds are done once for each server and not for each
 * session, as the library's own client would. Used by one thread.
 */
final class SaltedPasswords {
  /** PostgreSQL's default is 4096; more than this keeps a session from logging in at all. */
  private static final int MOST_ROUNDS = 1_000_000;

  private final char[] password;
  private final Map<String, byte[]> known = new HashMap<>();

  SaltedPasswords(String password) {
    this.password = password.toCharArray();
  }

  byte[] of(byte[] salt, int rounds) throws LoginRefused {
    if (rounds > MOST_ROUNDS) {
      throw new LoginRefused("asks for %d rounds of SCRAM".formatted(rounds));
    }
    if (password.length == 0) {
      throw new LoginRefused("asks for a password, and the key password is empty");
    }
    return known.computeIfAbsent(
        rounds + Arrays.toString(salt),
        key ->
            ScramFunctions.saltedPassword(
                ScramLogin.SHA_256,
                StringPreparation.POSTGRESQL_PREPARATION,
                password,
                salt,
                rounds));
  }
}
