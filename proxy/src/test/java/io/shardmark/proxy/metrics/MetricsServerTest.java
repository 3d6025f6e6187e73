package io.shardmark.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

final class MetricsServerTest {
  private static final Path DASHBOARD = Path.of("..", "config", "grafana-proxy.json");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-z_:][a-z0-9_:]*)(\\{[^}]*\\})? (-?[0-9.eE+-]+|NaN|[+-]Inf)");

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final ProxyMetrics metrics = new ProxyMetrics(List.of("s1", "s2"));
  private final AtomicReference<String> whyNot = new AtomicReference<>("");
  private MetricsServer server;

  @BeforeEach
  void start() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = MetricsServer.start(any, metrics);
    server.readyUnless(() -> Objects.requireNonNull(whyNot.get()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).timeout(LIMIT).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  /** Every sample by its name with labels; fails on a line that is none. */
  private Map<String, Double> scrape() throws IOException, InterruptedException {
    Map<String, Double> samples = new HashMap<>();
    for (String line : get("/metrics").body().lines().toList()) {
      if (!line.startsWith("#")) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String labels = sample.group(2) == null ? "" : sample.group(2);
        samples.put(
            sample.group(1) + labels, Double.valueOf(sample.group(3).replace("Inf", "Infinity")));
      }
    }
    return samples;
  }

  @Test
  void halfARequestKeepsNobodyWaiting() throws IOException, InterruptedException {
    try (Socket other = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      other.getOutputStream().write("GET /rea".getBytes(StandardCharsets.US_ASCII));
      assertThat(get("/ready").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void addsUpTheLoops() throws IOException, InterruptedException {
    LoopCounters first = metrics.newLoop();
    LoopCounters second = metrics.newLoop();
    first.count(LoopCounter.STATEMENTS_ONE_SHARD);
    second.add(LoopCounter.STATEMENTS_ONE_SHARD, 2);
    second.count(1, ShardCounter.POOL_WAITS);
    second.add(1, ShardCounter.POOL_WAIT_NANOS, 1_500_000_000);
    first.add(LoopCounter.CLIENTS, 5);
    second.add(LoopCounter.CLIENTS, -1);
    first.add(0, ShardCounter.SERVERS_IDLE, 3);
    metrics.of(BackgroundCounter.RECOVERED_ROLLED_BACK).addAndGet(2);
    metrics.of(BackgroundCounter.TRANSACTIONS_IN_DOUBT).set(7);
    Map<String, Double> samples = scrape();

    assertThat(samples)
        .containsEntry("shardmark_proxy_statements_total{route=\"one_shard\"}", 3.0)
        .containsEntry("shardmark_proxy_statements_total{route=\"refused\"}", 0.0)
        .containsEntry("shardmark_proxy_pool_waits_total{shard=\"s2\"}", 1.0)
        .containsEntry("shardmark_proxy_pool_wait_seconds_total{shard=\"s2\"}", 1.5)
        .containsEntry("shardmark_proxy_clients", 4.0)
        .containsEntry("shardmark_proxy_servers{shard=\"s1\",state=\"idle\"}", 3.0)
        .containsEntry("shardmark_proxy_clients_waiting{shard=\"s1\"}", 0.0)
        .containsEntry("shardmark_proxy_recovered_transactions_total{outcome=\"rolled_back\"}", 2.0)
        .containsEntry("shardmark_proxy_transactions_in_doubt", 7.0);
    assertThat(samples.keySet()).anyMatch(name -> name.startsWith("jvm_memory_used_bytes"));
  }

  @Test
  void bucketsAreCumulative() throws IOException, InterruptedException {
    LoopCounters loop = metrics.newLoop();
    loop.record(LoopTimer.PREPARE, 16_384);
    loop.record(LoopTimer.PREPARE, 16_385);
    loop.record(LoopTimer.PREPARE, -5);
    loop.record(LoopTimer.PREPARE, Long.MAX_VALUE / 2);
    Map<String, Double> samples = scrape();
    String bucket = "shardmark_proxy_commit_phase_seconds_bucket{phase=\"prepare\",le=\"";

    assertThat(samples)
        .containsEntry(bucket + "1.6384E-5\"}", 2.0)
        .containsEntry(bucket + "3.2768E-5\"}", 3.0)
        .containsEntry(bucket + "17.179869184\"}", 3.0)
        .containsEntry(bucket + "+Inf\"}", 4.0)
        .containsEntry("shardmark_proxy_commit_phase_seconds_count{phase=\"prepare\"}", 4.0);
  }

  @Test
  void readinessIsNotLiveness() throws IOException, InterruptedException {
    assertThat(get("/ready").statusCode()).isEqualTo(200);
    whyNot.set("no answer from shard s2");

    assertThat(get("/health").statusCode()).isEqualTo(200);
    assertThat(get("/ready").statusCode()).isEqualTo(503);
    assertThat(get("/ready").body()).isEqualTo("no answer from shard s2\n");
  }

  @Test
  void theDashboardAsksForMetricsThatExist() throws IOException, InterruptedException {
    metrics.newLoop();
    Set<String> exist =
        scrape().keySet().stream()
            .map(name -> name.replaceAll("\\{.*", ""))
            .collect(Collectors.toSet());
    String json = Files.readString(DASHBOARD);
    // JSON is YAML, so the reader that the project has parses it.
    assertThat(new Load(LoadSettings.builder().build()).loadFromString(json))
        .isInstanceOf(Map.class);
    Set<String> asked = new TreeSet<>();
    Matcher name = Pattern.compile("\\b(shardmark_\\w+|jvm_\\w+|process_\\w+)").matcher(json);
    while (name.find()) {
      asked.add(name.group(1));
    }

    assertThat(asked).hasSizeGreaterThan(15);
    assertThat(exist).containsAll(asked);
  }
}
