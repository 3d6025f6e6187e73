package io.shardmark.proxy.routing;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Parameters that a client cannot set as it likes, because the proxy reads texts by them. */
public enum FixedParameter {
  /**
   * Over several shards keys are read, and texts are put in order, as the bytes of UTF-8. SQL_ASCII
   * converts nothing: the bytes are the server's.
   */
  CLIENT_ENCODING(
      2,
      Set.of("utf8", "unicode", "sqlascii", "default"),
      "client_encoding must be UTF8 over several shards, whose rows are found and put in order by"
          + " the bytes of their texts",
      "Convert texts in the client."),
  /** Over several shards a role has one verifier, which the proxy makes. */
  PASSWORD_ENCRYPTION(
      2,
      Set.of("scramsha256", "default"),
      "password_encryption must be scram-sha-256 over several shards: the proxy makes the verifiers"
          + " of roles",
      "Give CREATE ROLE or ALTER ROLE the MD5 hash as the password."),
  /** A backslash in a string is read as itself (PG18 §4.1.2.1 sql-syntax-strings). */
  STANDARD_CONFORMING_STRINGS(
      1,
      Set.of("on", "true", "yes", "1"),
      "standard_conforming_strings must be on: the proxy reads string literals by it",
      "Write strings with backslashes as E'...'.");

  private final int fromShards;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<String> allowed;

  private final String message;
  private final String hint;

  FixedParameter(int fromShards, Set<String> allowed, String message, String hint) {
    this.fromShards = fromShards;
    this.allowed = allowed;
    this.message = message;
    this.hint = hint;
  }

  /** As PostgreSQL spells it. */
  public String parameter() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Why a value of it is refused. */
  public String message() {
    return message;
  }

  String hint() {
    return hint;
  }

  /** Whether the value is refused over so many shards. */
  public boolean refuses(int shards, String value) {
    return shards >= fromShards
        && !allowed.contains(value.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", ""));
  }

  /** The one of that name, if it is one. */
  static Optional<FixedParameter> of(String name) {
    return Arrays.stream(values()).filter(one -> one.parameter().equals(name)).findFirst();
  }
}
