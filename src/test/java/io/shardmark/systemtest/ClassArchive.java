package io.shardmark.systemtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * The classes of {@code driver.jar} as the JVM keeps them when they are read and verified (JEP
 * 310), which saves a third of a short process's processor time. The first JVM that needs the
 * archive makes it; where another one is making it, processes start without.
 */
final class ClassArchive {
  private static final Path FILE = make();

  private ClassArchive() {}

  /** What a JVM of this kind needs to use it. */
  static List<String> flags() {
    return Files.exists(FILE) ? List.of("-XX:SharedArchiveFile=" + FILE) : List.of();
  }

  /** A JVM takes it for a jar of the time and size that it was made with, and warns otherwise. */
  private static Path make() {
    Path jar = Workspace.jar();
    try {
      Path archive =
          jar.resolveSibling(
              "driver-%s-%d.jsa"
                  .formatted(
                      System.getProperty("java.vm.version"),
                      Files.getLastModifiedTime(jar).toMillis()));
      try (FileChannel channel =
              FileChannel.open(
                  jar.resolveSibling("driver.jsa.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock lock = channel.tryLock()) {
        if (lock != null && !Files.exists(archive)) {
          deleteOthers(jar.resolveSibling(""));
          makeOnce(archive);
        }
      }
      return archive;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void deleteOthers(Path directory) throws IOException {
    try (DirectoryStream<Path> archives = Files.newDirectoryStream(directory, "driver-*.jsa")) {
      for (Path archive : archives) {
        Files.delete(archive);
      }
    }
  }

  /** A whole round, in which most classes are used: it builds, runs, verifies and reports. */
  private static void makeOnce(Path archive) throws IOException, InterruptedException {
    Map<String, String> properties =
        Postgres.bankProperties("embedded:postgres?fsync=off&memory=256MB");
    Path partial = archive.resolveSibling("driver.jsa.partial");
    List<String> command =
        Workspace.java(
            Path.of(System.getProperty("java.home")),
            Workspace.jar(),
            "-XX:ArchiveClassesAtExit=" + partial);
    command.add(Workspace.PROPERTIES);
    Workspace workspace =
        new Workspace(Files.createTempDirectory("classes")).properties(properties);
    try (DriverProcess process = workspace.startCommand(command, Map.of())) {
      process.await().succeeded();
    }
    Files.move(partial, archive, StandardCopyOption.ATOMIC_MOVE);
  }
}
