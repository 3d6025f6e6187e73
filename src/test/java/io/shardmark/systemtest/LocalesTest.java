package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user whose language has digits of its own: Persian here, as Arabic of Egypt. */
final class LocalesTest {
  private static final String PROPS = Workspace.PROPERTIES;
  private static final Pattern OTHER_DIGIT = Pattern.compile("[\\p{Nd}&&[^0-9]]");

  @TempDir private Path directory;

  private Finished run(Workspace workspace, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(Workspace.java(Workspace.jar(), "-Duser.language=fa", "-Duser.country=IR"));
    command.addAll(List.of(arguments));
    try (DriverProcess process = workspace.startCommand(command, Map.of())) {
      return process.await();
    }
  }

  @Test
  void sqlKeysAndFilesHaveOneKindOfDigits() throws Exception {
    String database = Postgres.newDatabase();
    Workspace workspace = new Workspace(directory).properties(Postgres.properties(database));

    for (String verb : List.of("build", "run", "verify")) {
      Finished finished = run(workspace, verb, PROPS).succeeded().withoutTrace();
      assertThat(finished.all()).doesNotContainPattern(OTHER_DIGIT);
    }

    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).filter(LocalesTest::isText).toList()) {
        assertThat(text(file)).as("%s", file).doesNotContainPattern(OTHER_DIGIT);
      }
    }
    Postgres.drop(database);
  }

  private static boolean isText(Path file) {
    return file.toString().matches(".*\\.(csv|json|properties|txt|hlog)");
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
