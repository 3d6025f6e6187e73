package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.scram.ScramVerifier;
import io.shardmark.proxy.routing.StatementPlan;
import java.security.SecureRandom;

/**
 * CREATE ROLE and ALTER ROLE. Roles, and what they set for later sessions, are read with the
 * catalogs, so that the next client to log in has it. A password in clear text would become another
 * verifier on each shard, since each draws its own salt, and a client proves itself against one; so
 * the shards are sent a verifier that is made here (PG18 sql-createrole takes both).
 */
final class RolePasswords {
  private static final SecureRandom RANDOM = new SecureRandom();

  private RolePasswords() {}

  /** After ROLE, USER or GROUP. */
  static StatementPlan plan(DdlText text) {
    if (text.isWord(text.at(), "mapping")) { // passwords for other servers stay
      return text.everywhere(DdlKind.OTHER);
    }
    if (text.shards() == 1) {
      return text.everywhere(DdlKind.SCHEMA);
    }
    TextEdits edits = new TextEdits();
    for (int i = text.at(); i + 1 < text.end(); i++) {
      String password = text.isWord(i, "password") ? text.string(i + 1) : null;
      if (password != null && !password.isEmpty() && !isHashed(password)) {
        edits.replace(text.start(i + 1), text.end(i + 1), "'" + verifier(password) + "'");
      }
    }
    return text.everywhere(edits.apply(text.sql()), DdlKind.SCHEMA);
  }

  private static boolean isHashed(String password) {
    return ScramVerifier.isVerifier(password) || password.matches("md5[0-9a-f]{32}");
  }

  private static String verifier(String password) {
    byte[] salt = new byte[ScramVerifier.SALT_BYTES];
    RANDOM.nextBytes(salt);
    return ScramVerifier.ofPassword(password, Bytes.of(salt)).stored();
  }
}
