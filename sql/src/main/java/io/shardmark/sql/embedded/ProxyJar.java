package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import io.shardmark.config.ProgramDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The proxy's program. We know it as a file only: nothing of it is on our class path.
 *
 * @param file {@code proxy.jar}
 */
record ProxyJar(Path file) {
  private static final String NAME = "proxy.jar";

  /**
   * Looks next to the jar that runs, and in the source tree's build directory of the proxy.
   *
   * @throws ConfigException if it is in none of these places
   */
  static ProxyJar find() {
    List<Path> places = places();
    return places.stream()
        .filter(Files::isRegularFile)
        .findFirst()
        .map(ProxyJar::new)
        .orElseThrow(
            () ->
                new ConfigException(
                    "conn: embedded:sharded needs the proxy: no "
                        + String.join(
                            " and no ", places.stream().map(Path::toString).distinct().toList())));
  }

  private static List<Path> places() {
    Path directory = ProgramDirectory.find().orElse(Path.of("").toAbsolutePath());
    return List.of(
        directory.resolve(NAME), directory.resolve("../../proxy/target").resolve(NAME).normalize());
  }
}
