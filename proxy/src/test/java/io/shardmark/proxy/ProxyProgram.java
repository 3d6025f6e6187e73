package io.shardmark.proxy;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What starts the proxy as a process of its own. Its classes are read and verified once for all
 * processes (JEP 310), which saves much of what a start costs. The first JVM that needs the archive
 * makes it; where another one is making it, processes start without.
 */
public final class ProxyProgram {
  private static final Pattern LISTENING =
      Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+),.*");
  private static final List<Path> CLASS_PATH =
      Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .filter(entry -> !entry.isEmpty())
          .map(Path::of)
          .filter(path -> Files.exists(path) && !path.endsWith("test-classes"))
          .toList();
  private static final Archive ARCHIVE = Archive.make();

  private ProxyProgram() {}

  /** The program with these options of its JVM; its arguments follow. */
  public static List<String> command(String... jvmOptions) {
    List<String> options = new ArrayList<>(List.of(jvmOptions));
    if (!Files.exists(ARCHIVE.file())) {
      return command(CLASS_PATH, options);
    }
    options.add("-XX:SharedArchiveFile=" + ARCHIVE.file());
    return command(ARCHIVE.classPath(), options);
  }

  private static List<String> command(List<Path> classPath, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // What an archive cannot hold is nothing that a test must read.
    command.addAll(List.of("-Xlog:disable", "-Xlog:all=error:stderr"));
    command.addAll(options);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList()));
    command.add(Main.class.getName());
    return command;
  }

  /**
   * @param jar classes that the compiler wrote into directories: an archive holds those of jars
   */
  private record Archive(Path file, Path jar) {
    static Archive make() {
      Path target = Path.of("target").toAbsolutePath();
      try (FileChannel channel =
              FileChannel.open(
                  target.resolve("proxy-classes.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock lock = channel.tryLock()) {
        String name = "proxy-classes-" + contents();
        Archive archive = new Archive(target.resolve(name + ".jsa"), target.resolve(name + ".jar"));
        if (lock != null && !Files.exists(archive.file())) {
          deleteOthers(target);
          archive.writeJar();
          archive.write(target);
        }
        return archive;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (SQLException | InterruptedException e) {
        throw new IllegalStateException("no archive of the proxy's classes", e);
      }
    }

    /** A name for the JVM and the files of the class path as they are now. */
    private static UUID contents() throws IOException {
      StringBuilder text = new StringBuilder(System.getProperty("java.vm.version"));
      for (Path entry : CLASS_PATH) {
        try (Stream<Path> files = Files.walk(entry)) {
          for (Path file : files.sorted().toList()) {
            text.append(file).append(Files.getLastModifiedTime(file)).append(Files.size(file));
          }
        }
      }
      return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void deleteOthers(Path target) throws IOException {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(target, "proxy-classes-*")) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
    }

    List<Path> classPath() {
      return Stream.concat(
              Stream.of(jar), CLASS_PATH.stream().filter(path -> !Files.isDirectory(path)))
          .toList();
    }

    private void writeJar() throws IOException {
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
        zip.setLevel(Deflater.NO_COMPRESSION);
        for (Path directory : CLASS_PATH) {
          if (Files.isDirectory(directory)) {
            addAll(zip, directory);
          }
        }
      }
    }

    private static void addAll(ZipOutputStream zip, Path directory) throws IOException {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          zip.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
          Files.copy(file, zip);
        }
      }
    }

    /** Of a proxy that has served a client over two shards. */
    private void write(Path target) throws IOException, SQLException, InterruptedException {
      Path partial = target.resolve("proxy-classes-partial.jsa");
      Path config = Files.createTempFile("proxy", ".yaml");
      TwoShards shards = TwoShards.create();
      shards.executeOnBoth("create table t (id int primary key) partition by hash (id)");
      for (int shard = 0; shard < 2; shard++) {
        shards.execute(
            shard,
            "create table part partition of t for values with (modulus 2, remainder %d)"
                .formatted(shard));
      }
      Files.writeString(config, shards.yaml() + "listen: 127.0.0.1:0\ndatabases: [any]\n");
      List<String> command = command(classPath(), List.of("-XX:ArchiveClassesAtExit=" + partial));
      command.add(config.toString());
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (BufferedReader lines = process.inputReader()) {
        String line = lines.readLine();
        while (line != null) {
          Matcher listening = LISTENING.matcher(line);
          if (listening.matches()) {
            serve(listening.group(1));
            process.toHandle().destroy(); // which leaves its output open
          }
          line = lines.readLine();
        }
        if (process.waitFor() != 0) {
          throw new IOException("the proxy ended with status " + process.exitValue());
        }
      } finally {
        process.destroyForcibly();
        Files.delete(config);
      }
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void serve(String port) throws SQLException {
      String url = "jdbc:postgresql://127.0.0.1:" + port + "/any";
      try (Connection client = DriverManager.getConnection(url, "postgres", "postgres");
          Statement statement = client.createStatement()) {
        client.setAutoCommit(false);
        statement.execute("insert into t select g from generate_series(1, 9) g");
        statement.execute("select count(*) from t");
        client.rollback();
      }
    }
  }
}
