package io.shardmark.systemtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts of {@code driver/run}: BenchmarkSQL's names, usage texts and exit statuses. */
final class ScriptsTest {
  private static final String PROPS = Workspace.PROPERTIES;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "runBenchmark.sh, PROPS_FILE",
    "runDatabaseBuild.sh, PROPS [OPT VAL [...]]",
    "runDatabaseDestroy.sh, PROPS",
    "runLoader.sh, PROPS_FILE [ARGS]",
    "runSQL.sh, PROPS_FILE SQL_FILE",
    "generateReport.sh, RESULT_DIR [SKIP_MINUTES]",
  })
  void wrongArgumentsShowTheUsage(String script, String arguments) throws Exception {
    Finished finished = new Workspace(directory).script(script);
    assertThat(finished.status()).isEqualTo(2);
    assertThat(finished.err()).isEqualTo("usage: " + script + " " + arguments + "\n");
    assertThat(finished.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "runBenchmark.sh,",
    "runDatabaseBuild.sh,",
    "runDatabaseDestroy.sh,",
    "runLoader.sh,",
    "runSQL.sh, tableCreates",
  })
  void missingFileIsNamed(String script, String second) throws Exception {
    String[] arguments =
        second == null ? new String[] {"nowhere"} : new String[] {"nowhere", second};
    Finished finished = new Workspace(directory).script(script, arguments);
    assertThat(finished.status()).isEqualTo(1);
    assertThat(finished.err()).isEqualTo("nowhere: no such file or directory\n");
  }

  @Test
  void workInACopyBesideTheJarThroughALinkAndWithFlagsOfTheJvm() throws Exception {
    Path copy = Files.createDirectories(directory.resolve("with a blank/run"));
    try (Stream<Path> scripts = Files.list(Workspace.root().resolve("driver/run"))) {
      for (Path script : scripts.toList()) {
        Files.copy(script, copy.resolve(script.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Files.createSymbolicLink(copy.resolveSibling("driver.jar"), Workspace.jar());
    Path link =
        Files.createSymbolicLink(directory.resolve("bench"), copy.resolve("runBenchmark.sh"));
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("terminals", "1");
    Workspace workspace = new Workspace(directory).properties(properties);

    try (DriverProcess process =
        workspace.startCommand(
            List.of(link.toString(), PROPS),
            Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "JAVA_OPTS",
                "-Xmx64m -DrunID=77",
                "SHARDMARK_CACHE",
                "off"))) {
      process.await().succeeded();
    }

    ResultFiles result = workspace.result("result").assertWhole();
    assertThat(result.summary().at("/jvm/maxHeapMegabytes").asInt()).isBetween(40, 64);
    assertThat(result.rows("result.csv").get(0)[0]).isEqualTo("77");
  }

  @Test
  void runFindsItsClassesInTheArchiveThatAnEarlierOneLeft() throws Exception {
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("terminals", "1");
    properties.remove("resultDirectory");
    Workspace workspace = new Workspace(directory).properties(properties);
    String script = Workspace.root().resolve("driver/run/runBenchmark.sh").toString();
    List<String> mainFrom = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      Path log = directory.resolve("classes" + run);
      try (DriverProcess process =
          workspace.startCommand(
              List.of(script, PROPS),
              Map.of(
                  "JAVA_HOME", System.getProperty("java.home"),
                  "JAVA_OPTS", "-Xlog:class+load:file=" + log,
                  "SHARDMARK_CACHE", directory.resolve("cache").toString()))) {
        process.await().succeeded();
      }
      try (Stream<String> lines = Files.lines(log)) {
        mainFrom.add(lines.filter(line -> line.contains("driver.Main ")).findFirst().orElseThrow());
      }
    }
    assertThat(mainFrom.get(0)).contains("source: file:");
    assertThat(mainFrom.get(1)).contains("source: shared objects file (top)");
  }

  @ParameterizedTest
  @CsvSource({
    // A start is worth an archive of its classes, a check is not.
    "bin/proxy, proxy.yaml, proxy.jar proxy.yaml, proxy-",
    "bin/proxy, proxy.yaml --check, proxy.jar proxy.yaml --check,",
    "bin/proxy, nowhere.yaml, proxy.jar nowhere.yaml,",
    "bin/driver, run props.test, driver.jar run props.test, run-",
    "bin/driver, help run, driver.jar help run,",
  })
  void programsOfTheArchiveStartWithTheirFlags(
      String script, String arguments, String command, @Nullable String archive) throws Exception {
    Path program = copyOfArchive().resolve(script);
    Files.createFile(directory.resolve("proxy.yaml"));
    Path home = directory.resolve("jdk");
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=17");
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$*\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();

    List<String> words = new ArrayList<>(List.of(program.toString()));
    words.addAll(List.of(arguments.split(" ")));
    try (DriverProcess process =
        new Workspace(directory)
            .startCommand(
                words,
                Map.of(
                    "JAVA_HOME", home.toString(),
                    "JAVA_OPTS", "-Xmx64m",
                    "SHARDMARK_CACHE", directory.resolve("cache").toString()))) {
      String started = process.await().succeeded().out().strip();
      assertThat(started)
          .startsWith("-XX:+UseSerialGC ")
          .containsPattern("-Xmx64m -jar \\S*/" + command + "$");
      if (archive == null) {
        assertThat(started).doesNotContain("ArchiveClasses");
      } else {
        assertThat(started).contains("-XX:ArchiveClassesAtExit=").contains("/cache/" + archive);
      }
    }
  }

  /** The directories bin and run, and jars in which nothing is. */
  private Path copyOfArchive() throws IOException {
    Path copy = directory.resolve("archive");
    for (String name : List.of("bin", "run")) {
      Path to = Files.createDirectories(copy.resolve(name));
      try (Stream<Path> scripts = Files.list(Workspace.root().resolve("driver/" + name))) {
        for (Path script : scripts.filter(Files::isRegularFile).toList()) {
          Files.copy(script, to.resolve(script.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
    Files.createFile(copy.resolve("driver.jar"));
    Files.createFile(copy.resolve("proxy.jar"));
    return copy;
  }

  /** All archives have one time; a class that changed need not change the size of the jar. */
  @Test
  void eachReleaseHasAnArchiveOfClassesOfItsOwn() throws Exception {
    List<String> options = new ArrayList<>();
    for (String content : List.of("before", "after!")) {
      Path jar = directory.resolve("driver.jar");
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
        zip.setMethod(ZipOutputStream.STORED);
        ZipEntry entry = new ZipEntry("Main.class");
        byte[] bytes = content.getBytes(UTF_8);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        entry.setSize(bytes.length);
        entry.setCrc(sum.getValue());
        entry.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
        zip.putNextEntry(entry);
        zip.write(bytes);
      }
      Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
      options.add(classDataOptions(jar));
    }
    assertThat(options.get(0)).startsWith("-XX:ArchiveClassesAtExit=");
    assertThat(options.get(1)).isNotEqualTo(options.get(0));
  }

  /** A JVM writes the head of its archive last, and may be killed before. */
  @Test
  void anArchiveCountsOnceItHasItsHead() throws Exception {
    Path jar = Files.writeString(directory.resolve("driver.jar"), "jar");
    Path other =
        Files.writeString(
            Files.createDirectories(directory.resolve("other")).resolve("driver.jar"), "jar");
    String writes = "-XX:ArchiveClassesAtExit=";
    String asked = classDataOptions(jar).strip();
    assertThat(asked).startsWith(writes);
    Path archive = Path.of(asked.substring(writes.length()));

    Path part = Files.write(archive.resolveSibling(archive.getFileName() + ".7-7"), new byte[99]);
    assertThat(classDataOptions(jar).strip()).isEqualTo(asked);
    Files.write(part, new byte[] {1, 2, 3, 4});
    assertThat(classDataOptions(jar).strip()).isEqualTo("-XX:SharedArchiveFile=" + archive);

    assertThat(classDataOptions(other)).startsWith(writes);
    assertThat(archive).as("that of another installation").exists();
    Files.writeString(jar, "newer");
    assertThat(classDataOptions(jar)).startsWith(writes);
    assertThat(archive).as("that of what the jar was").doesNotExist();
  }

  private String classDataOptions(Path jar) throws Exception {
    String function =
        "source '%s'; class_data_options '%s' '%s' run; echo \"${CLASS_DATA_OPTS[0]}\" | sed 's/[.][0-9-]*$//'"
            .formatted(
                Workspace.root().resolve("driver/run/funcs.sh"),
                Path.of(System.getProperty("java.home"), "bin/java"),
                jar);
    try (DriverProcess process =
        new Workspace(directory)
            .startCommand(
                List.of("bash", "-c", function),
                Map.of("SHARDMARK_CACHE", directory.resolve("cache").toString()))) {
      return process.await().succeeded().out();
    }
  }

  /** Scripts of users look for these lines. */
  @Test
  void buildShowsBenchmarkSqlsLines() throws Exception {
    String database = Postgres.newDatabase();
    Workspace workspace = new Workspace(directory).properties(Postgres.properties(database));
    Finished build = workspace.script("runDatabaseBuild.sh", PROPS).succeeded();
    assertThat(build.all())
        .contains("# Loading SQL file", "create table bmsql_config", "Loading Warehouse")
        .contains("Starting BenchmarkSQL LoadData")
        .doesNotContain(Postgres.PASSWORD);
    Finished destroy = workspace.script("runDatabaseDestroy.sh", PROPS).succeeded();
    assertThat(destroy.out()).contains("drop table if exists bmsql_config");
    Postgres.drop(database);
  }

  @Test
  void shellcheckFindsNothing() throws Exception {
    Path shellcheck = Path.of("/usr/bin/shellcheck");
    assumeTrue(Files.isExecutable(shellcheck), "shellcheck is not installed");
    List<String> command = new ArrayList<>(List.of(shellcheck.toString(), "-x"));
    Path folder = Workspace.root().resolve("driver/run");
    try (Stream<Path> scripts = Files.list(folder)) {
      scripts.filter(file -> file.toString().endsWith(".sh")).forEach(s -> command.add("" + s));
    }
    try (DriverProcess process = new Workspace(folder).startCommand(command, Map.of())) {
      process.await().succeeded();
    }
  }
}
