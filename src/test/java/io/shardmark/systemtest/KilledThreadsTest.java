package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run does, and says of itself, when one of its own threads ends with an error. */
final class KilledThreadsTest {
  private static final String PROPS = Workspace.PROPERTIES;

  /** The error, or what HdrHistogram makes of it if it hits the thread in its reflection. */
  private static final String[] CAUSES = {"OutOfMemoryError", "base64 encode method"};

  @TempDir private Path directory;
  private Workspace workspace;

  @BeforeEach
  void workspace() {
    workspace = new Workspace(directory);
  }

  private String report() throws Exception {
    return Files.readString(directory.resolve("result/report.html"));
  }

  private DriverProcess startWatched(Map<String, String> properties) throws Exception {
    workspace.properties(properties);
    List<String> command = Workspace.java(Workspace.jar(), ThreadKiller.AGENT);
    command.addAll(List.of("run", PROPS));
    return workspace.startCommand(command, Map.of());
  }

  /** At a low rate nobody waits for the collector, at full rate everybody does. */
  @ParameterizedTest
  @CsvSource({"Worker-1, 600", "Worker-1, 0", "collector, 600", "collector, 0", "main, 600"})
  void aFaultOfTheDriverEndsTheRunAsAborted(String thread, String limit) throws Exception {
    Map<String, String> properties =
        DriverFaultsTest.timed(Postgres.properties("postgres", "null:"), "10");
    properties.put("limitTxnsPerMin", limit);
    properties.put("resultRows", "none");
    try (DriverProcess process = startWatched(properties)) {
      // Not before classes are initialized: an error in one of those is another thread's too.
      process.awaitOutput("Running Average");
      ThreadKiller.kill(process, thread);
      Finished finished = process.await();
      assertThat(finished.status()).as(finished.all()).isNotZero();
      assertThat(finished.out())
          .contains("aborted", thread, "Measured tpmC", "Results are in")
          .containsAnyOf(CAUSES);
    }
    JsonNode summary = workspace.result("result").summary();
    assertThat(summary.at("/run/ending").asText()).isEqualTo("aborted");
    assertThat(summary.at("/faults/0/thread").asText()).isEqualTo(thread);
    assertThat(summary.at("/faults/0/cause").asText()).containsAnyOf(CAUSES);
    assertThat(summary.at("/interval/seconds").asDouble()).isLessThan(500);
    assertThat(report()).contains("aborted").containsAnyOf(CAUSES);
  }

  /** A file system that does not answer stops the one that writes there. */
  @ParameterizedTest
  @CsvSource({"collector, 0", "main, 600"})
  void aThreadThatHangsEndsTheRunAsAborted(String thread, String limit) throws Exception {
    Map<String, String> properties =
        DriverFaultsTest.timed(Postgres.properties("postgres", "null:"), "10");
    properties.put("limitTxnsPerMin", limit);
    properties.put("resultRows", "none");
    Finished finished;
    try (DriverProcess process = startWatched(properties)) {
      process.awaitOutput("Running Average");
      AutoCloseable suspended = ThreadKiller.suspend(process, thread);
      try {
        finished = process.await();
      } finally {
        suspended.close();
      }
    }
    assertThat(finished.status()).as(finished.all()).isEqualTo(1);
    assertThat(finished.all()).contains("the run is aborted: thread " + thread, "it hangs");
    if (thread.equals("main")) {
      assertThat(finished.err()).contains("the aborted run could not end");
    } else {
      assertThat(workspace.result("result").summary().at("/run/ending").asText())
          .isEqualTo("aborted");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "os-collector, OS collector",
    "client-figures, client.csv",
    "db-stats, database figures",
    "live-view, live view"
  })
  void aLostObserverIsToldAndTheRunGoesOn(String thread, String name) throws Exception {
    boolean withDatabase = thread.equals("db-stats");
    String database = withDatabase ? Postgres.loadedDatabase() : "";
    Map<String, String> properties =
        withDatabase ? Postgres.properties(database) : Postgres.properties("postgres", "null:");
    DriverFaultsTest.timed(properties, "10").put("limitTxnsPerMin", "600");
    properties.put("osCollectorScript", "./misc/os_collector_linux.py");
    properties.put("osCollectorInterval", "1");
    properties.put("metricsPort", "127.0.0.1:0");
    try (DriverProcess process = startWatched(properties)) {
      process.awaitOutput("Running Average");
      ThreadKiller.kill(process, thread);
      process.awaitOutput(name + ": stopped by an internal fault");
      process.awaitNewOutput("Running Average");
      process.signal("INT");
      Finished finished = process.await();
      assertThat(finished.status()).as(finished.all()).isEqualTo(130);
    }
    assertThat(workspace.result("result").summary().at("/run/ending").asText())
        .isEqualTo("interrupted");
    assertThat(workspace.result("result").summary().at("/observers").toString())
        .contains(name + ": stopped by an internal fault");
    assertThat(report()).contains(name + ": stopped by an internal fault");
    if (withDatabase) {
      Postgres.drop(database);
    }
  }
}
