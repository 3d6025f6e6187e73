package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.DebianPostgres;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.zip.ZipFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole round in all three profiles on the oldest PostgreSQL that is still in use, whose
 * programs the build puts into {@code target}; {@link WholeRoundTest} has the newest.
 */
final class PostgresVersionsTest {
  private static final String PROPS = Workspace.PROPERTIES;
  private static final String VERSION = "13";
  private static final String PROGRAMS = "postgres-linux-x86_64.txz";

  @TempDir private Path directory;

  @Test
  void buildsRunsInEachProfileAndVerifies() throws Exception {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "needs programs for x86-64");
    Path jar = Workspace.root().resolve("src/test/target/postgres-" + VERSION + ".jar");
    makeReadable(directory);
    Path programs = unpack(jar, directory.resolve("programs"));
    try (DebianPostgres server =
        DebianPostgres.start(programs.resolve("bin"), Postgres.USER, Postgres.PASSWORD)) {
      Map<String, String> properties = Postgres.properties("postgres", server.url());
      properties.put("runTxnsPerTerminal", "20");
      Workspace workspace = new Workspace(directory).properties(properties);
      workspace.run("build", PROPS).succeeded();
      for (String profile : new String[] {"benchmarksql", "batched", "procedures"}) {
        properties.put("statementProfile", profile);
        properties.put("resultDirectory", profile);
        workspace.properties(properties);
        Finished run = workspace.run("run", PROPS).succeeded();
        assertThat(run.all()).as(profile).doesNotContain("WARN");
        ResultFiles result = workspace.result(profile).assertWhole();
        assertThat(result.errors("")).as(profile).isZero();
        assertThat(result.summary().at("/database/version").asText()).startsWith(VERSION + ".");
      }
      workspace.run("verify", PROPS).succeeded();
      workspace.run("destroy", PROPS).succeeded();
    }
  }

  private static Path unpack(Path jar, Path target) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile());
        InputStream programs = zip.getInputStream(zip.getEntry(PROGRAMS));
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new XZCompressorInputStream(programs))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = target.resolve(entry.getName()).normalize();
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else if (entry.isSymbolicLink()) {
          Files.createDirectories(path.resolveSibling(""));
          Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
          Files.createDirectories(path.resolveSibling(""));
          Files.copy(tar, path);
          makeReadable(path);
        }
      }
    }
    return target;
  }

  /** To the user that the server runs as. */
  private static void makeReadable(Path path) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
