package io.shardmark.proxy.pool.login;

import io.shardmark.config.Secret;
import io.shardmark.proxy.protocol.Bytes;
import io.shardmark.proxy.protocol.scram.ScramKeys;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who logs in to shards, and with what: a password, the keys that a client's own proof revealed, or
 * nothing. Keeps the keys derived last, so that many logins to one server cost one derivation.
 * Thread-safe.
 */
public final class ServerAccount {
  private final String user;
  private final @Nullable Secret password;
  private volatile @Nullable ScramKeys keys;

  private ServerAccount(String user, @Nullable Secret password, @Nullable ScramKeys keys) {
    this.user = user;
    this.password = password;
    this.keys = keys;
  }

  public static ServerAccount ofPassword(String user, Secret password) {
    return new ServerAccount(user, password, null);
  }

  /** For servers that store the same verifier as the one the client was proved against. */
  public static ServerAccount ofKeys(String user, ScramKeys keys) {
    return new ServerAccount(user, null, keys);
  }

  /** For servers that ask for nothing. */
  public static ServerAccount trusted(String user) {
    return new ServerAccount(user, null, null);
  }

  public String user() {
    return user;
  }

  /** Whether it opens servers with what a client has proved, and not with its own password. */
  public boolean isOfClient() {
    return password == null && keys != null;
  }

  /** Whether these keys are the ones it has. */
  public boolean has(ScramKeys others) {
    ScramKeys known = keys;
    return known != null && known.equals(others);
  }

  Optional<Secret> password() {
    return Optional.ofNullable(password);
  }

  /** The keys for this salt, if they are known. */
  @Nullable ScramKeys keysFor(Bytes salt, int iterations) {
    ScramKeys known = keys;
    return known != null && known.isFor(salt, iterations) ? known : null;
  }

  void remember(ScramKeys derived) {
    keys = derived;
  }

  @Override
  public String toString() {
    return "ServerAccount[" + user + "]";
  }
}
