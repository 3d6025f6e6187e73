package io.shardmark.driver.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.driver.recorder.ServerSide;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.MachineUse;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.results.VerdictKind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class LiveJsonTest {
  private final WatchedRun watched = new WatchedRun();
  private final LiveJson json = new LiveJson(watched.run());

  private static JsonNode parsed(byte[] text) throws IOException {
    return new ObjectMapper().readTree(text);
  }

  @Test
  void factsTellWhichRunThisIs() throws IOException {
    JsonNode facts = parsed(json.facts());

    assertThat(facts.path("schema").asText()).isEqualTo("shardmark-live");
    assertThat(facts.path("run").asInt()).isEqualTo(7);
    assertThat(facts.path("start").asText()).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(facts.path("seconds").asDouble()).isEqualTo(3600);
    assertThat(facts.path("types")).hasSize(3);
    assertThat(facts.path("types").get(0).path("headline").asBoolean()).isTrue();
    assertThat(facts.path("shards").toString()).isEqualTo("[\"s1\",\"s2\"]");
  }

  @Test
  void theStateSumsUpWhatWasMeasured() throws IOException {
    watched.second();
    watched.second();
    watched.fail(2);
    JsonNode state = parsed(json.state(0, 0));

    assertThat(state.path("measured").path("seconds").asInt()).isEqualTo(2);
    assertThat(state.path("measured").path("tpmC").asDouble()).isEqualTo(6000);
    assertThat(state.path("measured").path("tpmTotal").asDouble()).isEqualTo(6000);
    JsonNode newOrder = state.path("types").get(0);
    assertThat(newOrder.path("count").asInt()).isEqualTo(200);
    assertThat(newOrder.path("perMinute").asDouble()).isEqualTo(6000);
    assertThat(newOrder.path("distributedShare").asDouble()).isEqualTo(0.25);
    assertThat(newOrder.path("totalMillis").path("p95").asDouble()).isEqualTo(2);
    assertThat(state.path("types").get(1).path("totalMillis").path("count").asInt()).isZero();
    assertThat(state.path("errors").get(0).path("count").asInt()).isEqualTo(2);
    assertThat(state.path("errors").get(0).path("example").asText()).isEqualTo("deadlock detected");
    assertThat(state.path("shards").get(0).path("share").asDouble()).isEqualTo(0.75);
    assertThat(state.path("connections").path("inUse").asInt()).isEqualTo(3);
  }

  @Test
  void aSecondWithoutATransactionHasNoLatency() throws IOException {
    watched.second();
    watched.idleSecond();
    JsonNode state = parsed(json.state(0, 0));

    JsonNode newOrder = state.at("/history/types/0");
    assertThat(newOrder.path("perMinute").toString()).isEqualTo("[6000,0]");
    assertThat(newOrder.path("p95Millis").toString()).isEqualTo("[2,null]");
    assertThat(state.at("/history/types/1/p50Millis").toString()).isEqualTo("[null,null]");
    assertThat(state.at("/history/connectionWaitMillis/1").isNull()).isTrue();
  }

  /** Of one of at most a minute, which was steady at once. */
  @Test
  void aRampUpThatEndsEarlyIsAsLongAsItWas() throws IOException {
    watched.rampUpSecond(-60);
    watched.rampUpSecond(-59);
    watched.rampUpSecond(-1);
    JsonNode state = parsed(json.state(0, 0));

    assertThat(state.at("/measured/seconds").asInt()).isEqualTo(3);
    assertThat(state.at("/measured/tpmC").asDouble()).isEqualTo(6000);
    assertThat(state.at("/history/firstSecond").asInt()).isEqualTo(-3);
  }

  @Test
  void secondsThatCameAsOneAreAGap() throws IOException {
    watched.second();
    watched.secondsAtOnce(2);
    watched.second();
    JsonNode history = parsed(json.state(0, 0)).path("history");

    assertThat(history.path("tpmC").toString()).isEqualTo("[6000,null,null,6000]");
    assertThat(history.path("firstSecond").asInt()).isZero();
  }

  @Test
  void pointsThatTheReaderHasAreNotToldAgain() throws IOException {
    for (int i = 0; i < 5; i++) {
      watched.second();
    }
    JsonNode all = parsed(json.state(0, 0)).path("history");
    JsonNode news = parsed(json.state(1, 4)).path("history");

    assertThat(all.path("size").asInt()).isEqualTo(5);
    assertThat(all.path("tpmC")).hasSize(5);
    assertThat(all.path("types").get(0).path("p99Millis")).hasSize(5);
    assertThat(all.path("shards").get(0).path("perMinute").get(0).asInt())
        .as("of 75, in a minute of such seconds")
        .isEqualTo(4500);
    assertThat(news.path("from").asInt()).isEqualTo(4);
    assertThat(news.path("tpmC").toString()).isEqualTo("[6000]");
  }

  @Test
  void theEndHasTheFiguresOfTheClosingLines() throws IOException {
    watched.second();
    RunVerdict verdict =
        new RunVerdict(List.of(new Finding(VerdictKind.SERVER_LOST, "at second 3", "")));
    watched
        .run()
        .finish(
            new MadeRun()
                .ended(Ending.INTERRUPTED, 4)
                .with(verdict, new Metric("tpmC", "/min", 1234.56, null, Map.of(), true))
                .result());
    JsonNode state = parsed(json.state(0, 0));

    assertThat(state.path("phase").asText()).isEqualTo("over");
    assertThat(state.path("result").path("ending").asText()).isEqualTo("interrupted");
    assertThat(state.path("result").path("verdict").asText())
        .isEqualTo("server lost: at second 3.");
    assertThat(state.path("result").path("grade").asText()).isEqualTo("fail");
    assertThat(state.path("result").path("tpmC").asDouble()).isEqualTo(1234.56);
  }

  @Test
  void anotherBenchmarkHasItsOwnRatesAndScale() throws IOException {
    WatchedRun other = WatchedRun.ofOperations();
    other.second();
    LiveJson json = new LiveJson(other.run());
    JsonNode facts = parsed(json.facts());
    JsonNode state = parsed(json.state(0, 0));

    assertThat(facts.path("scale").toString()).isEqualTo("{\"name\":\"branch\",\"number\":1}");
    assertThat(facts.path("metrics").findValuesAsText("name"))
        .containsExactly("tps", "bestSecond", "qps");
    assertThat(facts.path("metrics").findValuesAsText("periodSeconds"))
        .containsExactly("1", "0", "1");
    assertThat(state.at("/measured/tps").asDouble()).isEqualTo(100);
    assertThat(state.at("/measured/qps").asDouble()).isEqualTo(2000);
    assertThat(state.at("/history/tps/0").asDouble()).isEqualTo(100);
    assertThat(state.at("/history/qps/0").asDouble()).isEqualTo(2000);
    assertThat(new String(json.facts(), UTF_8) + new String(json.state(0, 0), UTF_8))
        .doesNotContain("tpm", "arehouse");
  }

  @Test
  void tellsWhatIsSeenOfTheServer() throws IOException {
    watched.observe(
        new ServerSide(
            Map.of("xact_commit", 250.0),
            new ServerWaits(
                5,
                1,
                1,
                "",
                List.of(
                    new ServerWaits.Activity(ServerWaits.IDLE, "", 9),
                    new ServerWaits.Activity("Lock", "tuple", 3)),
                List.of()),
            Optional.of(new MachineUse(true, 0.5, 0.25, new TreeMap<>())),
            List.of()));
    JsonNode server = parsed(json.state(0, 0)).path("server");

    assertThat(server.at("/machine/busyShare").asDouble()).isEqualTo(0.5);
    assertThat(server.at("/sessions/locks").asDouble()).isEqualTo(3);
    assertThat(server.path("sessions").size()).isEqualTo(1);
    assertThat(server.at("/perSecond/xact_commit").asDouble()).isEqualTo(250);
  }
}
