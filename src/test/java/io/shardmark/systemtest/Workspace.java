package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.driver.command.Shardmark;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A working directory with a properties file, from which drivers are started.
 *
 * @param directory where the drivers run
 */
record Workspace(Path directory) {
  static final String PROPERTIES = "props.test";

  /** A process of seconds gains nothing from the second compiler or from a collector's threads. */
  private static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final int MOST_RUNS_OF_A_SWEEP = 10;

  /** The root of the source tree. */
  static Path root() {
    for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.isDirectory(path.resolve("driver/run"))) {
        return path;
      }
    }
    throw new IllegalStateException("no driver/run above " + Path.of("").toAbsolutePath());
  }

  static Path jar() {
    Path jar = root().resolve("driver/target/driver.jar");
    assertThat(jar).as("the built driver; mvn verify makes it").isRegularFile();
    return jar;
  }

  /** Writes the properties file. */
  Workspace properties(Map<String, String> properties) throws IOException {
    return properties(PROPERTIES, properties);
  }

  /** Writes a properties file of another name. */
  Workspace properties(String name, Map<String, String> properties) throws IOException {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(properties)
        .forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    Files.writeString(directory.resolve(name), text);
    return this;
  }

  JsonNode json(String file) throws IOException {
    return new ObjectMapper().readTree(directory.resolve(file).toFile());
  }

  /** Starts {@code java -jar driver.jar ARGUMENTS}. */
  DriverProcess start(String... arguments) throws IOException {
    List<String> command = java(jar());
    command.addAll(List.of(arguments));
    return startCommand(command, Map.of());
  }

  DriverProcess start(Path javaHome, String... arguments) throws IOException {
    List<String> command = java(javaHome, jar());
    command.addAll(List.of(arguments));
    return startCommand(command, Map.of());
  }

  /** What starts a program, with this JVM's kind; its arguments follow. */
  static List<String> java(Path jar, String... flags) {
    List<String> command = java(Path.of(System.getProperty("java.home")), jar, flags);
    if (jar.equals(jar())) {
      command.addAll(1, ClassArchive.flags());
    }
    return command;
  }

  static List<String> java(Path javaHome, Path jar, String... flags) {
    List<String> command = new ArrayList<>(List.of(javaHome.resolve("bin/java").toString()));
    command.addAll(FLAGS);
    command.addAll(List.of(flags));
    command.addAll(List.of("-jar", jar.toString()));
    return command;
  }

  /** Starts a script of {@code driver/run}. */
  DriverProcess startScript(String name, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(root().resolve("driver/run/" + name).toString()));
    command.addAll(List.of(arguments));
    return startCommand(command, Map.of("JAVA_HOME", System.getProperty("java.home")));
  }

  DriverProcess startCommand(List<String> command, Map<String, String> environment)
      throws IOException {
    List<String> whole = new ArrayList<>();
    if (Files.isDirectory(Path.of("/proc"))) {
      // A build in the background ignores SIGINT and hands that down; a JVM then ignores it too.
      whole.addAll(List.of("env", "--default-signal=INT,TERM"));
    }
    whole.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(whole).directory(directory.toFile());
    builder.environment().keySet().removeAll(List.of("JAVA_OPTS", "JAVA_TOOL_OPTIONS"));
    builder.environment().putAll(environment);
    return new DriverProcess(builder.start());
  }

  Finished run(String... arguments) throws IOException, InterruptedException {
    try (DriverProcess process = start(arguments)) {
      return process.await();
    }
  }

  /** The verb {@code verify} in this JVM. */
  Finished verify() {
    return here("verify");
  }

  /** A verb with the properties file, in this JVM, whose working directory is another one. */
  Finished here(String verb) {
    return execute(verb, directory.resolve(PROPERTIES).toString());
  }

  /** Executes a command line of {@code driver.jar} in this JVM. */
  static Finished execute(String... words) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    try (PrintStream ours = new PrintStream(said, true, StandardCharsets.UTF_8);
        PrintStream oursErr = new PrintStream(errors, true, StandardCharsets.UTF_8)) {
      System.setOut(ours);
      System.setErr(oursErr);
      int status = Shardmark.execute(words);
      return new Finished(
          status, said.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** A sweep, which runs drivers one after the other. */
  Finished sweep(String... arguments) throws IOException, InterruptedException {
    try (DriverProcess process = start(arguments)) {
      return process.await(MOST_RUNS_OF_A_SWEEP * DriverProcess.PATIENCE_SECONDS);
    }
  }

  Finished script(String name, String... arguments) throws IOException, InterruptedException {
    try (DriverProcess process = startScript(name, arguments)) {
      return process.await();
    }
  }

  /** Nothing has made a directory here. */
  void assertNoDirectories() throws IOException {
    try (Stream<Path> made = Files.list(directory)) {
      assertThat(made.filter(Files::isDirectory)).isEmpty();
    }
  }

  /** Everything in the directory is free of a text. */
  void assertNowhere(String secret) throws IOException {
    assertNowhereBut(secret, PROPERTIES);
  }

  /** The same, without the files at the top whose names begin so. */
  void assertNowhereBut(String secret, String names) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!directory.relativize(file).toString().startsWith(names)) {
          // A character for each byte: not every file is text.
          assertThat(Files.readString(file, StandardCharsets.ISO_8859_1).contains(secret))
              .as("the secret in %s", file)
              .isFalse();
        }
      }
    }
  }

  ResultFiles result(String name) {
    return new ResultFiles(directory.resolve(name));
  }
}
