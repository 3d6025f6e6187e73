package io.shardmark.driver.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.ConfigException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of runs, also of drivers that start together in one directory. */
final class RunNumberTest {
  private static final int PROCESSES = 4;
  private static final int NUMBERS = 200;

  @TempDir private Path directory;

  /** Takes numbers in a process of its own, and prints them. */
  public static void main(String[] args) {
    for (int i = 0; i < NUMBERS; i++) {
      System.out.println(RunNumber.next(Path.of(args[0])));
    }
  }

  @Test
  void countsFromOneAndGoesOnWithTheNumberOfBenchmarkSql() throws IOException {
    assertThat(RunNumber.next(directory)).isEqualTo(1);
    Path file = directory.resolve(".jTPCC_run_seq.dat");
    assertThat(file).hasContent("1\n");
    Files.writeString(file, "41\n");
    assertThat(RunNumber.next(directory)).isEqualTo(42);
  }

  @Test
  void countsAnewInAFileThatAnInterruptedWriteLeftEmpty() throws IOException {
    Files.createFile(directory.resolve(".jTPCC_run_seq.dat"));
    assertThat(RunNumber.next(directory)).isEqualTo(1);
  }

  @Test
  void givesEachOfSeveralProcessesItsOwnNumbers() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin/java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  classPath(),
                  RunNumberTest.class.getName(),
                  directory.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    }
    List<Integer> numbers = new ArrayList<>();
    for (Process process : processes) {
      process.inputReader().lines().map(Integer::valueOf).forEach(numbers::add);
      assertThat(process.waitFor()).isZero();
    }
    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, PROCESSES * NUMBERS).boxed().toList());
  }

  private static String classPath() {
    return Stream.of(RunNumberTest.class, RunNumber.class, ConfigException.class)
        .map(RunNumberTest::origin)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String origin(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
