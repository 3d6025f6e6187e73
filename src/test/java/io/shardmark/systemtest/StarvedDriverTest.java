package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run says of itself when its driver is not let run: that is no fault of the server. */
final class StarvedDriverTest {
  private static final String PROPS = Workspace.PROPERTIES;
  private static final long SUSPENDED_NANOS = TimeUnit.SECONDS.toNanos(4);

  @TempDir private Path directory;

  private Workspace workspace(String minutes) throws Exception {
    Map<String, String> properties =
        DriverFaultsTest.timed(Postgres.properties("postgres", "null:"), minutes);
    properties.put("limitTxnsPerMin", "6000");
    return new Workspace(directory).properties(properties);
  }

  private String verdict(Workspace workspace) throws Exception {
    JsonNode verdict = workspace.result("result").summary().at("/verdict");
    return verdict.toString();
  }

  @Test
  void aSuspendedDriverIsNoServerThatStoodStill() throws Exception {
    Workspace workspace = workspace("10");
    try (DriverProcess process = workspace.start("run", PROPS)) {
      process.awaitOutput("Running Average");
      process.signal("STOP");
      long since = System.nanoTime();
      await()
          .atMost(DriverProcess.PATIENCE)
          .until(() -> System.nanoTime() - since > SUSPENDED_NANOS);
      process.signal("CONT");
      process.awaitNewOutput("Running Average");
      process.signal("INT");
      process.await().withoutTrace();
    }
    assertThat(verdict(workspace))
        .contains("was suspended or without a processor for")
        .doesNotContain("stood still");
    assertThat(workspace.result("result").summary().at("/client/heldUp/longestSeconds").asDouble())
        .isGreaterThan(3);
  }

  @Test
  void aDriverOnABusyMachineIsNotBoundByItself() throws Exception {
    Workspace workspace = workspace("0.1");
    List<Process> others = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        others.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
      }
      workspace.run("run", PROPS).withoutTrace();
    } finally {
      others.forEach(Process::destroyForcibly);
    }
    assertThat(verdict(workspace)).contains("machine-saturated").doesNotContain("\"driver-bound\"");
  }
}
