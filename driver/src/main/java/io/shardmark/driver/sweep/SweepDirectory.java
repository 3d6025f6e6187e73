package io.shardmark.driver.sweep;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one sweep, held by one process at a time. In addition to the files named here it
 * has one folder for each database.
 */
final class SweepDirectory implements AutoCloseable {
  static final String PLAN = "sweep.json";

  /** Held by the process that works on the sweep. */
  static final String LOCK = ".sweep.lock";

  /** What the processes said. */
  static final String LOGS = "logs";

  /** Directories of points that failed or were broken off. */
  static final String ASIDE = "aside";

  /** Runs at a share of a maximum. */
  static final String HOLD = "hold";

  /** The comparison; Markdown and JSON are next to it. */
  static final String COMPARISON = "compare.html";

  static final String SEARCH_JSON = "search.json";

  static final String SEARCH_MARKDOWN = "search.md";

  /** Names that no database may have. */
  static final Set<String> TAKEN = Set.of(LOGS, ASIDE, HOLD);

  private final Path root;
  private final FileChannel lockFile;

  private SweepDirectory(Path root, FileChannel lockFile) {
    this.root = root;
    this.lockFile = lockFile;
  }

  /**
   * Says whether a sweep can be begun or continued there, before anything is made.
   *
   * @throws ConfigException if it holds something else, or its name cannot be used
   */
  static void check(Path root) throws IOException {
    if (root.toAbsolutePath().toString().contains("%t")) {
      throw new ConfigException(
          "%s: '%%t' would be taken for a date in the names of results: expected another directory"
              .formatted(root));
    }
    if (Files.exists(root) && !Files.isDirectory(root)) {
      throw new ConfigException("%s: is a file: expected a directory".formatted(root));
    }
    if (!Files.exists(root) || SweepPlan.isIn(root)) {
      return;
    }
    try (DirectoryStream<Path> content = Files.newDirectoryStream(root)) {
      for (Path file : content) {
        if (!file.endsWith(LOCK)) {
          throw new ConfigException(
              "%s: holds something else (%s): expected a new or empty directory, or one of a sweep"
                  .formatted(root, file.getFileName()));
        }
      }
    }
  }

  /**
   * Makes the directory if need be and takes hold of it.
   *
   * @throws ConfigException if another sweep is at work in it
   */
  static SweepDirectory open(Path root) throws IOException {
    Files.createDirectories(root);
    FileChannel channel =
        FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      throw new ConfigException("%s: another sweep is at work in it".formatted(root));
    }
    return new SweepDirectory(root, channel);
  }

  /** Where a process writes what it says. */
  Path log(String name) throws IOException {
    return Files.createDirectories(root.resolve(LOGS)).resolve(name + ".log");
  }

  /** The directory of a point, which does not exist yet; what is above it does. */
  Path forResults(Point point) throws IOException {
    Path directory = root.resolve(point.directory());
    Path parent = directory.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    return directory;
  }

  /** Moves what a point has left out of the way of its next attempt, and of the comparison. */
  void setAside(Point point) throws IOException {
    Path directory = root.resolve(point.directory());
    if (!Files.exists(directory)) {
      return;
    }
    Path aside = Files.createDirectories(root.resolve(ASIDE));
    String name = point.directory().replace('/', '-');
    int number = 1;
    while (Files.exists(aside.resolve(name + "-" + number))) {
      number++;
    }
    Files.move(directory, aside.resolve(name + "-" + number), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    // While it is still held: who comes later makes a new one.
    Files.deleteIfExists(root.resolve(LOCK));
    lockFile.close();
  }
}
