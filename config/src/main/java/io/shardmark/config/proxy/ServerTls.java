package io.shardmark.config.proxy;

import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS towards a shard.
 *
 * @param ca PEM certificates to trust; without them the JDK's
 * @param certificate PEM chain that proves the proxy to the shard; with {@code key}
 * @param key PEM private key (PKCS 8), not encrypted
 */
public record ServerTls(
    TlsMode mode, Optional<Path> ca, Optional<Path> certificate, Optional<Path> key) {
  /** No TLS. */
  public static final ServerTls DISABLED =
      new ServerTls(TlsMode.DISABLE, Optional.empty(), Optional.empty(), Optional.empty());

  /** The words of libpq's sslmode, without those that fall back to clear text. */
  public enum TlsMode {
    /** Clear text. */
    DISABLE,
    /** Encrypted, the server's certificate is not looked at. */
    REQUIRE,
    /** The certificate must be signed by {@code ca}. */
    VERIFY_CA,
    /** And must name the host. */
    VERIFY_FULL
  }
}
