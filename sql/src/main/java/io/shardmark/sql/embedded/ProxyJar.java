package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;

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
    Path directory = ownDirectory().orElse(Path.of("").toAbsolutePath());
    return List.of(
        directory.resolve(NAME), directory.resolve("../../proxy/target").resolve(NAME).normalize());
  }

  /** Of the running jar; of classes in a build, their {@code target}. */
  private static Optional<Path> ownDirectory() {
    CodeSource source = ProxyJar.class.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(
          Path.of(source.getLocation().toURI()).toAbsolutePath().getParent());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the running jar has no path: " + source.getLocation(), e);
    }
  }
}
