package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run beside some hundred idle sessions, over a proxy, from two processes. */
final class IdleSessionsTest {
  private static final int SESSIONS = 300;

  @TempDir private Path directory;

  private Workspace properties(ShardedCluster cluster, String... more) throws Exception {
    Map<String, String> properties = Postgres.bankProperties(cluster.url());
    properties.put("transactions", "select-only");
    properties.put("terminals", "2");
    properties.put("limitTxnsPerMin", "6000");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "10");
    properties.put("idleSessions", Integer.toString(SESSIONS));
    properties.put("idleSources", "127.0.0.2, 127.0.0.3");
    properties.put("idleQuietSecs", "4");
    for (int i = 0; i < more.length; i += 2) {
      properties.put(more[i], more[i + 1]);
    }
    return new Workspace(directory).properties(properties);
  }

  @Test
  void aRunBesideIdleSessionsSaysWhatTheyCostAndDid() throws Exception {
    try (ShardedCluster cluster = ShardedCluster.start(directory)) {
      Workspace workspace = properties(cluster);
      workspace.run("build", Workspace.PROPERTIES).succeeded();
      // Few handles, so that one process cannot hold them all.
      List<String> command =
          new ArrayList<>(List.of("sh", "-c", "ulimit -n 300; exec \"$@\"", "sh"));
      command.addAll(Workspace.java(Workspace.jar()));
      command.addAll(List.of("run", Workspace.PROPERTIES));
      Finished run;
      try (DriverProcess process = workspace.startCommand(command, Map.of())) {
        process.awaitOutput("%d are open after".formatted(SESSIONS));
        process.awaitNewOutput("Running Average"); // some have been asked meanwhile
        process.signal("INT");
        run = process.await().withoutTrace();
      }
      assertThat(run.status()).as(run.all()).isEqualTo(130);
      JsonNode idle = workspace.result("result").summary().path("idleSessions");
      assertThat(idle.path("opened").asInt()).as(run.all()).isEqualTo(SESSIONS);
      assertThat(idle.path("lost").asInt()).as(run.all()).isZero();
      assertThat(idle.path("processes").asInt()).isEqualTo(2);
      assertThat(idle.path("openedPerSecond").asDouble()).isPositive();
      assertThat(idle.path("bytesPerSession").isNumber()).isTrue();
      assertThat(idle.path("questions").path("right").asInt()).isPositive();
      assertThat(idle.path("questions").path("wrong").asInt()).isZero();
      assertThat(idle.path("phases").get(0).path("name").asText()).isEqualTo("before");
      assertThat(idle.path("phases").get(0).path("successes").asInt()).isPositive();
      assertThat(run.out()).contains("%d were opened in".formatted(SESSIONS));
    }
  }

  @Test
  void aProxyThatRefusesOneEndsTheRunInOneSentence() throws Exception {
    try (ShardedCluster cluster = ShardedCluster.start(directory, "max_clients: 50")) {
      Workspace workspace = properties(cluster);
      workspace.run("build", Workspace.PROPERTIES).succeeded();
      Finished run = workspace.run("run", Workspace.PROPERTIES);
      assertThat(run.status()).as(run.all()).isEqualTo(1);
      assertThat(run.all())
          .contains("idleSessions=300: ")
          .contains("were open when one could not be opened")
          .contains("SQLSTATE 53300");
      assertThat(workspace.result("result").ending()).isEqualTo("aborted");
    }
  }
}
