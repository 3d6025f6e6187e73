package io.shardmark.config.proxy;

import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS towards clients.
 *
 * @param certificate PEM chain of the proxy
 * @param key PEM private key (PKCS 8), not encrypted
 * @param clientCa if present, clients must show a certificate signed by one of these
 * @param policy whether clients may do without
 */
public record ClientTls(Path certificate, Path key, Optional<Path> clientCa, Policy policy) {
  /** Whether clear text is let in. */
  public enum Policy {
    /** TLS for who asks for it. */
    ALLOW,
    /** A startup packet without TLS is refused. */
    REQUIRE
  }
}
