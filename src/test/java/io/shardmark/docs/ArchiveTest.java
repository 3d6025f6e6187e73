package io.shardmark.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one downloads, {@code target/shardmark-VERSION.tar.gz}, unpacked. */
class ArchiveTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(?:#[^)]*)?\\)");

  /** Group, name and version of a library, in the list for people. */
  private static final Pattern LIBRARY =
      Pattern.compile("\\(([^\\s():]+:[^\\s():]+:[^\\s():]+) - ");

  /** A program or shared library of PostgreSQL; its own extensions are in a directory of lib. */
  private static final Pattern PROGRAM =
      Pattern.compile("(?:[.]/)?(?:bin/([^/]+)|lib/([^/]+?)[.]so(?:[.].*)?)");

  @TempDir private static Path directory;
  private static final List<TarArchiveEntry> entries = new ArrayList<>();

  @BeforeAll
  static void unpack() throws IOException {
    Path archive;
    try (Stream<Path> files = Files.list(Path.of("../../target"))) {
      archive =
          files
              .filter(file -> file.getFileName().toString().matches("shardmark-.*\\.tar\\.gz"))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no archive: ./mvnw package makes it"));
    }
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new GZIPInputStream(Files.newInputStream(archive)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        entries.add(entry);
        Path path = directory.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.resolveSibling(""));
          Files.copy(tar, path);
        }
      }
    }
  }

  private static Path root() {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> all = files.toList();
      assertThat(all).as("one directory, which nobody has yet").hasSize(1);
      return all.get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "driver.jar",
        "proxy.jar",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "LICENSE",
        "THIRD-PARTY.txt",
        "licenses/README.md",
        "licenses/openssl.txt",
        "config/props.pg",
        "config/proxy.yaml",
        "config/kubernetes/drivers.yaml",
        "docs/properties.md",
        "bin/driver",
        "bin/proxy",
        "run/funcs.sh",
        "run/runBenchmark.sh",
        "run/runDatabaseBuild.sh",
        "run/generateReport.sh"
      })
  void has(String file) {
    assertThat(root().resolve(file)).isNotEmptyFile();
  }

  @Test
  void scriptsCanBeStartedAndNothingElse() {
    List<String> started =
        entries.stream()
            .filter(entry -> !entry.isDirectory() && (entry.getMode() & 0111) != 0)
            .map(entry -> entry.getName().replaceFirst("^[^/]*/", ""))
            .toList();
    assertThat(started).isNotEmpty().allMatch(name -> name.matches("(run|bin)/.*"));
  }

  @Test
  void saysNothingOfTheMachineThatMadeIt() {
    assertThat(entries)
        .allSatisfy(
            entry -> {
              assertThat(entry.getUserName()).isEqualTo("root");
              assertThat(entry.getLongUserId()).isZero();
              assertThat(entry.getLastModifiedTime())
                  .isEqualTo(entries.get(0).getLastModifiedTime());
            });
  }

  @Test
  void linksOfItsPagesHold() throws IOException {
    List<String> broken = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root())) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        List<String> links =
            LINK.matcher(Files.readString(page))
                .results()
                .map((MatchResult link) -> link.group(1))
                .toList();
        for (String link : links) {
          if (!Files.exists(page.resolveSibling(link))) {
            broken.add(root().relativize(page) + ": " + link);
          }
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void namesEveryLibraryWithItsLicence() throws IOException {
    assumeThat(root().resolve("bom.json"))
        .as("the bill of materials, which a build without network (mvnw -o) cannot make")
        .exists();
    JsonNode bom = new ObjectMapper().readTree(root().resolve("bom.json").toFile());
    assertThat(bom.at("/bomFormat").asText()).isEqualTo("CycloneDX");
    List<String> licensed = new ArrayList<>();
    for (JsonNode component : bom.at("/components")) {
      if (!component.at("/licenses").isEmpty()) {
        licensed.add(
            "%s:%s:%s"
                .formatted(
                    component.at("/group").asText(),
                    component.at("/name").asText(),
                    component.at("/version").asText()));
      }
    }
    List<String> libraries =
        LIBRARY
            .matcher(Files.readString(root().resolve("THIRD-PARTY.txt")))
            .results()
            .map(library -> library.group(1))
            .toList();
    assertThat(libraries).hasSizeGreaterThan(40).isSubsetOf(licensed);
    for (String one : List.of("postgresql", "ojdbc17", "HdrHistogram", "netty-handler")) {
      assertThat(libraries).as(one).anyMatch(library -> library.contains(":" + one + ":"));
    }
    for (String one : List.of("mariadb-java-client", "junit-jupiter", "jmh-core")) {
      assertThat(licensed).as(one).noneMatch(library -> library.contains(":" + one + ":"));
    }
  }

  /** Each program and library of the embedded PostgreSQL, and what ECharts has in it. */
  @Test
  void namesWhatItsLibrariesContainWithTheLicence() throws IOException {
    Path licences = root().resolve("licenses");
    List<String> named = new ArrayList<>();
    for (JsonNode component :
        new ObjectMapper()
            .readTree(licences.resolve("bom-embedded.json").toFile())
            .at("/components")) {
      named.add(component.at("/name").asText());
      assertThat(component.at("/licenses")).as("%s", component).isNotEmpty();
      for (JsonNode property : component.at("/properties")) {
        switch (property.at("/name").asText()) {
          case "files" -> named.addAll(List.of(property.at("/value").asText().split(" ")));
          case "licence text" ->
              assertThat(root().resolve(property.at("/value").asText())).isNotEmptyFile();
          default -> assertThat(property.at("/name").asText()).isEqualTo("in");
        }
      }
    }
    assertThat(named).contains("zrender", "d3", "tslib").containsAll(embeddedPrograms());
    assertThat(root().resolve("THIRD-PARTY.txt")).content().contains("ojdbc17", "Oracle Free Use");
  }

  private static Set<String> embeddedPrograms() throws IOException {
    Set<String> names = new TreeSet<>();
    try (ZipFile jar = new ZipFile(root().resolve("driver.jar").toFile())) {
      for (String programs : List.of("postgres-linux-x86_64.txz", "postgres-linux-arm_64.txz")) {
        try (TarArchiveInputStream tar =
            new TarArchiveInputStream(
                new XZCompressorInputStream(jar.getInputStream(jar.getEntry(programs))))) {
          for (TarArchiveEntry entry = tar.getNextEntry();
              entry != null;
              entry = tar.getNextEntry()) {
            Matcher file = PROGRAM.matcher(entry.getName());
            if (file.matches()) {
              names.add(file.group(1) != null ? file.group(1) : file.group(2));
            }
          }
        }
      }
    }
    assertThat(names).hasSizeGreaterThan(10);
    return names;
  }

  @ParameterizedTest
  @ValueSource(strings = {"driver.jar", "proxy.jar"})
  void saysWhatItWasBuiltFrom(String jar) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-jar",
                jar,
                "--version")
            .directory(root().toFile())
            .redirectErrorStream(true)
            .start();
    try (InputStream out = process.getInputStream()) {
      assertThat(new String(out.readAllBytes(), UTF_8).lines())
          .satisfiesExactly(
              version -> assertThat(version).matches("Shardmark( proxy)? \\d+\\.\\d+\\.\\d+.*"),
              commit ->
                  assertThat(commit)
                      .matches(
                          "commit "
                              + (Files.exists(Path.of("../../.git"))
                                  ? "[0-9a-f]{12}(-dirty)?"
                                  : "unknown")),
              java -> assertThat(java).startsWith("Java " + Runtime.version().feature()));
    }
    assertThat(process.waitFor()).isZero();
  }
}
