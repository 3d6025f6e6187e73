package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of processors, and threads that are bound to them. */
@EnabledOnOs(OS.LINUX)
final class ProcessorsTest {
  private static final int FIRST = usable().get(0);
  private static final int LAST = usable().get(usable().size() - 1);

  private static List<Integer> usable() {
    return Processors.ANY.others();
  }

  @Test
  void aListHasNumbersAndRanges() {
    assertThat(Processors.parse(" %d , %d-%d ".formatted(FIRST, FIRST, FIRST)).numbers())
        .containsExactly(FIRST);
    assertThat(Processors.parse("%d-%d".formatted(FIRST, FIRST)).areAny()).isFalse();
    assertThat(Processors.ANY.areAny()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "all", "-1", "1-0", "0,", "0-", "99999", "123456"})
  void whatIsNoUsableProcessorIsRefusedWithThoseThatAre(String text) {
    assertThatThrownBy(() -> Processors.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "processors that this process may use, %d[\\d,-]*, such as 0 or 0,2-3"
                .formatted(FIRST));
  }

  @Test
  void theOthersAreAllIfNoneIsLeft() {
    assertThat(new Processors(usable()).others()).isEqualTo(usable());
    assertThat(new Processors(List.of(FIRST)).others())
        .isEqualTo(usable().size() == 1 ? usable() : usable().subList(1, usable().size()));
  }

  /** In a process of its own, all of whose threads are bound. */
  @Test
  void threadsTakeTheProcessorsInTurnsAndTheOthersTakeTheRest() throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BoundProgram.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(program.waitFor()).as(said).isZero();
    List<Integer> first = List.of(FIRST);
    List<Integer> last = List.of(LAST);
    List<Integer> rest = new Processors(List.of(FIRST, LAST)).others();
    assertThat(said.lines())
        .as("three threads that are bound, one that is not, a process of that one")
        .containsExactlyElementsOf(
            Stream.of(first, last, first, rest, rest).map(List::toString).toList());
  }

  /** Prints where its threads may run. */
  static final class BoundProgram {
    private BoundProgram() {}

    public static void main(String[] args) throws Exception {
      Processors processors = new Processors(List.of(FIRST, LAST));
      ThreadBinding.begin(processors);
      for (int index = 0; index < 3; index++) {
        Thread thread = new Thread(ThreadBinding.bound(processors, index, BoundProgram::print));
        thread.start();
        thread.join();
      }
      print();
      Process child = new ProcessBuilder("cat", "/proc/self/status").start();
      print(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    private static void print() {
      try {
        print(Files.readString(Path.of("/proc/thread-self/status")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void print(String status) {
      String allowed =
          status
              .lines()
              .filter(line -> line.startsWith("Cpus_allowed_list:"))
              .findFirst()
              .orElseThrow();
      System.out.println(Processors.parse(allowed.split("\\s+", -1)[1]).numbers());
    }
  }
}
