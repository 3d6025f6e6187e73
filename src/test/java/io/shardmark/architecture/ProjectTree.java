package io.shardmark.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The checked-out project, found from the directory that the tests run in. */
final class ProjectTree {
  private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", "node_modules");

  /** At the root alone; a package of the driver has the same name. */
  private static final Path MEASURED = Path.of("results");

  private ProjectTree() {}

  static Path root() {
    for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.exists(path.resolve("mvnw"))) {
        return path;
      }
    }
    throw new IllegalStateException("no mvnw above " + Path.of("").toAbsolutePath());
  }

  /** All files whose names end so, without what builds and tools leave behind. */
  static List<Path> files(String... endings) throws IOException {
    Path root = root();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
          .filter(file -> isOurs(root.relativize(file)))
          .sorted()
          .toList();
    }
  }

  private static boolean isOurs(Path relative) {
    if (relative.startsWith(MEASURED)) {
      return false;
    }
    for (Path part : relative) {
      if (NOT_OURS.contains(part.toString())) {
        return false;
      }
    }
    return true;
  }
}
