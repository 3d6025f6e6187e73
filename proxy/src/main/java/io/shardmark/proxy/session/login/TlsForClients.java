package io.shardmark.proxy.session.login;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.ClientTls;
import javax.net.ssl.SSLException;

/** Makes the TLS context towards clients. */
public final class TlsForClients {
  /** The name of PostgreSQL's protocol in ALPN (PG18 §54.2.2); needed if TLS begins unasked. */
  static final String ALPN = "postgresql";

  private TlsForClients() {}

  /**
   * Reads certificate and key; blocks.
   *
   * @throws ConfigException if they cannot be read or do not fit
   */
  public static SslContext create(ClientTls config) {
    try {
      SslContextBuilder builder =
          SslContextBuilder.forServer(config.certificate().toFile(), config.key().toFile())
              .protocols("TLSv1.3", "TLSv1.2")
              .applicationProtocolConfig(
                  new ApplicationProtocolConfig(
                      Protocol.ALPN,
                      SelectorFailureBehavior.NO_ADVERTISE,
                      SelectedListenerFailureBehavior.ACCEPT,
                      ALPN));
      if (config.clientCa().isPresent()) {
        builder.trustManager(config.clientCa().get().toFile()).clientAuth(ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new ConfigException(
          "tls: certificate " + config.certificate() + " cannot be used: " + e.getMessage());
    }
  }
}
