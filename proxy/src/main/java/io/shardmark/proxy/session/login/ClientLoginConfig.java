package io.shardmark.proxy.session.login;

import io.netty.handler.ssl.SslContext;
import io.shardmark.config.proxy.ClientTls;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all logins of clients have in common. Shared by all event loops.
 *
 * @param timeout from the handler's being added to the end of authentication
 * @param tls as {@link TlsForClients} makes it; null: TLS is not offered
 */
public record ClientLoginConfig(
    Credentials credentials,
    Duration timeout,
    @Nullable SslContext tls,
    ClientTls.Policy tlsPolicy) {
  /** Clear text only. */
  public ClientLoginConfig(Credentials credentials, Duration timeout) {
    this(credentials, timeout, null, ClientTls.Policy.ALLOW);
  }

  boolean requiresTls() {
    return tls != null && tlsPolicy == ClientTls.Policy.REQUIRE;
  }
}
