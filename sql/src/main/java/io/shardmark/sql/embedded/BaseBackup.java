package io.shardmark.sql.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Copies the files of a running server, as {@code pg_basebackup --checkpoint=fast} does. */
final class BaseBackup {
  /** PG18 protocol-replication, BASE_BACKUP: what need not be in a backup. */
  private static final Set<String> LEFT_OUT =
      Set.of("postmaster.pid", "postmaster.opts", "pg_internal.init");

  /** Of these only the directories: a standby streams the log and has its own slots. */
  private static final Set<String> EMPTIED =
      Set.of("pg_wal", "pg_replslot", "pg_stat_tmp", "pg_notify", "pg_serial", "pg_snapshots");

  private BaseBackup() {}

  /**
   * Its first checkpoint is made at once: a server with a long {@code checkpoint_timeout} would
   * take nearly all of that for it.
   *
   * @param administrator a session that may back up the server
   * @param data the server's files
   * @param target an empty directory
   */
  static void take(Connection administrator, Path data, Path target)
      throws IOException, SQLException {
    try (Statement statement = administrator.createStatement()) {
      statement.execute("SELECT pg_backup_start('shardmark', true)");
      copy(data, target);
      try (ResultSet stopped =
          statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        stopped.next();
        Files.writeString(target.resolve("backup_label"), stopped.getString(1));
      }
    }
  }

  private static void copy(Path data, Path target) throws IOException {
    Files.walkFileTree(
        data,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Path path = data.relativize(directory);
            if (path.getNameCount() == 2 && path.startsWith("pg_replslot")) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            if (!directory.equals(data)) {
              Files.copy(directory, target.resolve(path), StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path path = data.relativize(file);
            if (!LEFT_OUT.contains(file.getFileName().toString())
                && !EMPTIED.contains(path.getName(0).toString())) {
              try {
                Files.copy(file, target.resolve(path), StandardCopyOption.COPY_ATTRIBUTES);
              } catch (NoSuchFileException e) {
                // Dropped meanwhile: the log says so too.
              }
            }
            return FileVisitResult.CONTINUE;
          }

          /** A file that has gone between the listing and the look at it. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }
}
