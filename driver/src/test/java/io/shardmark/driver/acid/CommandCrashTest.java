package io.shardmark.driver.acid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.driver.processes.UserCommand;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands, and what they leave. Each writes down the number of a process that it started. */
final class CommandCrashTest {
  @TempDir private Path directory;

  private static CommandCrash crash(String command, Duration limit) {
    return new CommandCrash(command, command, limit);
  }

  private Optional<ProcessHandle> written() throws IOException {
    return ProcessHandle.of(Long.parseLong(Files.readString(directory.resolve("pid")).strip()));
  }

  /** Its parent has ended, so that it is nobody's descendant. */
  @Test
  void nothingOfACommandThatDoesNotEndInTimeGoesOn() throws IOException {
    Path pid = directory.resolve("pid");
    String command = "(sleep 9999 & echo $! > %s); sleep 9999; sleep 9999".formatted(pid);
    Duration limit = Duration.ofMillis(100);
    // On a slow machine it may have been ended before it wrote.
    while (!Files.exists(pid) || Files.size(pid) == 0) {
      CommandCrash crash = crash(command, limit);
      assertThatThrownBy(crash::crash)
          .isInstanceOf(IOException.class)
          .hasMessage("acid.crash did not end within 0 minutes: " + command);
      limit = limit.multipliedBy(2);
    }
    assertThat(written()).isEmpty();
  }

  /** It may have started a server again. */
  @Test
  void whatACommandLeftWhenItEndedGoesOn() throws Exception {
    String command = "sleep 9999 & echo $! > %s".formatted(directory.resolve("pid"));
    crash(command, CommandCrash.LIMIT).restart();
    assertThat(written()).map(ProcessHandle::destroy).contains(true);
  }

  /** A hook of the JVM would keep each command, and end it with the program. */
  @Test
  void nothingOfACommandThatHasEndedIsKept() throws Exception {
    long before = commands();
    crash("true", CommandCrash.LIMIT).restart();
    assertThat(commands()).isLessThanOrEqualTo(before);
  }

  /** Those that the heap holds; of a test before this one its last deadline may hold one. */
  private static long commands() throws JMException {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    return histogram
        .lines()
        .filter(line -> line.endsWith(" " + UserCommand.class.getName()))
        .mapToLong(line -> Long.parseLong(line.strip().split("\\s+", 3)[1]))
        .sum();
  }

  @Test
  void aCommandThatFailsIsNamedWithItsKeyAndStatus() {
    assertThatThrownBy(() -> crash("exit 3", CommandCrash.LIMIT).restart())
        .isInstanceOf(IOException.class)
        .hasMessage("acid.restart ended with status 3: exit 3");
  }
}
