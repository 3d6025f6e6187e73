package io.shardmark.driver.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What is to be compared: a result directory, a directory of them, or a directory of published
 * figures.
 *
 * @param name what the system is called; empty to take it from the directory
 */
public record CompareArgument(Optional<String> name, Path path) {
  /** A named one. Arguments of the same name are one system. */
  public static CompareArgument of(String name, Path path) {
    return new CompareArgument(Optional.of(name), path);
  }

  /** {@code DIR} or {@code NAME=DIR}; a directory whose own name has an equals sign wins. */
  public static CompareArgument parse(String argument) {
    int equals = argument.indexOf('=');
    if (equals <= 0 || Files.exists(Path.of(argument))) {
      return new CompareArgument(Optional.empty(), Path.of(argument));
    }
    return of(argument.substring(0, equals).strip(), Path.of(argument.substring(equals + 1)));
  }
}
