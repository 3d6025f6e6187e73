package io.shardmark.systemtest;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The classes of driver.jar, loaded and verified (JEP 350) by a run that the first of the tests'
 * JVMs makes for all of them: the drivers of the tests run for seconds, a third of which is that.
 */
final class ClassArchive {
  private ClassArchive() {}

  private static final class Made {
    static final Path FILE = make();
  }

  /** What lets a driver of this JVM's kind find its classes there. */
  static List<String> flags() {
    return quietly("-XX:SharedArchiveFile=" + Made.FILE);
  }

  /** As in the scripts of driver/run: which classes an archive cannot hold is nobody's concern. */
  private static List<String> quietly(String flag) {
    return List.of(flag, "-Xlog:disable", "-Xlog:all=error:stderr");
  }

  private static Path make() {
    Path jar = Workspace.jar();
    Path archive = Workspace.root().resolve("src/test/target/driver.jsa");
    try (FileChannel channel = FileChannel.open(sibling(archive, ".lock"), CREATE, WRITE)) {
      channel.lock(); // until it is closed
      if (!Files.exists(archive)
          || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
        Path unfinished = sibling(archive, ".new");
        write(unfinished);
        Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
      }
      return archive;
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("no archive of classes", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Path sibling(Path archive, String ending) {
    return archive.resolveSibling(archive.getFileName() + ending);
  }

  private static void write(Path archive) throws IOException, SQLException, InterruptedException {
    String database = Postgres.newDatabase();
    Map<String, String> properties = Postgres.tpcbProperties(Postgres.url(database));
    properties.put("rowsPerTable", "10");
    Workspace workspace =
        new Workspace(Files.createTempDirectory("classes")).properties(properties);
    run(workspace, List.of(), "build");
    run(workspace, quietly("-XX:ArchiveClassesAtExit=" + archive), "run");
    Postgres.drop(database);
  }

  private static void run(Workspace workspace, List<String> flags, String verb)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(Workspace.java(Workspace.jar(), flags.toArray(String[]::new)));
    command.addAll(List.of(verb, Workspace.PROPERTIES));
    try (DriverProcess process = workspace.startCommand(command, Map.of())) {
      process.await().succeeded();
    }
  }
}
