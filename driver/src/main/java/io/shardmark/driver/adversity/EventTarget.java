package io.shardmark.driver.adversity;

import io.shardmark.sql.embedded.EmbeddedPart;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What events can reach.
 *
 * @param connections to the database under test
 * @param parts of an embedded database; none of another
 * @param log of commands' output; empty if nobody keeps it
 */
public record EventTarget(
    ConnectionSource connections, List<EmbeddedPart> parts, Optional<Path> log) {
  public EventTarget {
    parts = List.copyOf(parts);
  }
}
