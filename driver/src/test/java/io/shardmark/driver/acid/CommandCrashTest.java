package io.shardmark.driver.acid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
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

  @Test
  void aCommandThatFailsIsNamedWithItsKeyAndStatus() {
    assertThatThrownBy(() -> crash("exit 3", CommandCrash.LIMIT).restart())
        .isInstanceOf(IOException.class)
        .hasMessage("acid.restart ended with status 3: exit 3");
  }
}
