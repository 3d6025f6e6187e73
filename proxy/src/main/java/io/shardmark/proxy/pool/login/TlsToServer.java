package io.shardmark.proxy.pool.login;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.ServerTls;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS towards one shard. */
public final class TlsToServer {
  private final SslContext context;
  private final String host;
  private final int port;

  private TlsToServer(SslContext context, String host, int port) {
    this.context = context;
    this.host = host;
    this.port = port;
  }

  /**
   * Reads the certificates; blocks.
   *
   * @return null if TLS is disabled
   * @throws ConfigException if they cannot be read or do not fit
   */
  public static @Nullable TlsToServer create(ServerTls config, String host, int port) {
    if (config.mode() == ServerTls.TlsMode.DISABLE) {
      return null;
    }
    try {
      SslContextBuilder builder = SslContextBuilder.forClient().protocols("TLSv1.3", "TLSv1.2");
      // Netty compares the host's name unless it is set not to.
      builder.endpointIdentificationAlgorithm(
          config.mode() == ServerTls.TlsMode.VERIFY_FULL ? "HTTPS" : "");
      if (config.mode() == ServerTls.TlsMode.REQUIRE) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      } else if (config.ca().isPresent()) {
        builder.trustManager(config.ca().get().toFile());
      }
      if (config.certificate().isPresent() && config.key().isPresent()) {
        builder.keyManager(config.certificate().get().toFile(), config.key().get().toFile());
      }
      return new TlsToServer(builder.build(), host, port);
    } catch (SSLException | IllegalArgumentException e) {
      throw new ConfigException(
          "tls of shard " + host + ":" + port + ": certificates cannot be used: " + e.getMessage());
    }
  }

  SslHandler newHandler(ByteBufAllocator allocator) {
    return context.newHandler(allocator, host, port);
  }
}
