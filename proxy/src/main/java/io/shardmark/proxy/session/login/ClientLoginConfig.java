package io.shardmark.proxy.session.login;

import io.netty.handler.ssl.SslContext;
import io.shardmark.config.proxy.ClientTls;
import io.shardmark.proxy.protocol.Bytes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What all logins of clients have in common. Shared by all event loops. */
public final class ClientLoginConfig {
  private static final int SECRET_BYTES = 32;

  /** As many as PostgreSQL's. */
  private static final int NONCE_BYTES = 18;

  private final Credentials credentials;
  private final Duration timeout;
  private final @Nullable SslContext tls;
  private final ClientTls.Policy tlsPolicy;
  private final SecureRandom random = new SecureRandom();
  private final Bytes mockSecret;

  /** Clear text only. */
  public ClientLoginConfig(Credentials credentials, Duration timeout) {
    this(credentials, timeout, null, ClientTls.Policy.ALLOW);
  }

  /**
   * @param timeout from the handler's being added to the end of authentication
   * @param tls as {@link TlsForClients} makes it; null: TLS is not offered
   */
  public ClientLoginConfig(
      Credentials credentials,
      Duration timeout,
      @Nullable SslContext tls,
      ClientTls.Policy tlsPolicy) {
    this.credentials = credentials;
    this.timeout = timeout;
    this.tls = tls;
    this.tlsPolicy = tlsPolicy;
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    mockSecret = Bytes.of(secret);
  }

  Credentials credentials() {
    return credentials;
  }

  Duration timeout() {
    return timeout;
  }

  @Nullable SslContext tls() {
    return tls;
  }

  boolean requiresTls() {
    return tls != null && tlsPolicy == ClientTls.Policy.REQUIRE;
  }

  /** Secret of this process, for users who do not exist. */
  Bytes mockSecret() {
    return mockSecret;
  }

  String nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return Base64.getEncoder().encodeToString(nonce);
  }
}
