package io.shardmark.config;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** Where the program that runs is: what belongs to it lies there, or near it in the source tree. */
public final class ProgramDirectory {
  private ProgramDirectory() {}

  /**
   * Of the running jar; of classes in a build, their {@code target}. Empty if the program comes
   * from somewhere that is no directory.
   */
  public static Optional<Path> find() {
    CodeSource source = ProgramDirectory.class.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(
          Path.of(source.getLocation().toURI()).toAbsolutePath().getParent());
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty(); // not a file
    }
  }
}
