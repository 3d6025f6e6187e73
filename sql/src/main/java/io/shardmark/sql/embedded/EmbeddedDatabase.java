package io.shardmark.sql.embedded;

import java.util.List;

/**
 * What {@code conn=embedded:...} has started: one server, a primary with its standby, or several
 * behind a sharding proxy.
 */
public interface EmbeddedDatabase extends AutoCloseable {

  /** For {@link java.sql.DriverManager}, without user and password. */
  String jdbcUrl();

  /** The same for each standby, which takes no writes if it is a physical one. */
  default List<String> standbyUrls() {
    return List.of();
  }

  /** What of it may be killed and started again, the servers that take writes before others. */
  List<EmbeddedPart> parts();

  /** Ends all that was started; does nothing the second time. */
  @Override
  void close();
}
