package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.servers.DebianPostgres;
import io.shardmark.servers.FreePort;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What driver and proxy tell Prometheus while TPC-C runs over two shards, read by the parsers of
 * Prometheus itself and of its Python client; and what the dashboards ask, answered by a real
 * Prometheus.
 */
final class MonitoringTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern METRIC =
      Pattern.compile("\\b(shardmark_\\w+|jvm_\\w+|process_\\w+|system_\\w+)");
  private static final Pattern PAGE = Pattern.compile("Prometheus: (http://\\S+)metrics");

  private static final String SHARD_TRANSACTIONS =
      "shardmark_driver_shard_transactions_total{shard=\"%s\"}";

  /** Names that Micrometer gave the proxy's process, which promtool would have otherwise. */
  private static final List<String> NAMES_OF_MICROMETER =
      List.of("process_cpu_time_ns_total ", "system_cpu_count ");

  /** Prometheus' text format, by the parser of its Python client: prints the names of families. */
  private static final String PARSER =
      """
      import sys
      from prometheus_client.parser import text_string_to_metric_families
      for family in text_string_to_metric_families(sys.stdin.read()):
          for sample in family.samples:
              float(sample.value)
          print(family.name, family.type, len(family.samples))
      """;

  @TempDir private static Path directory;
  private static ShardedCluster cluster;
  private static DriverProcess driver;
  private static String driverUrl;
  private static String proxyUrl;

  @BeforeAll
  static void runTpccOverTwoShards() throws Exception {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
    int port = FreePort.find();
    proxyUrl = "http://127.0.0.1:" + port + "/";
    cluster = ShardedCluster.start(directory, "metrics: 127.0.0.1:" + port);
    Map<String, String> properties = Postgres.properties("postgres", cluster.url());
    properties.put("warehouses", "2");
    properties.put("terminals", "4");
    properties.put("terminalWarehouseFixed", "false");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "20");
    properties.put("metricsPort", "0");
    cluster.workspace().properties(properties);
    cluster.workspace().run("build", Workspace.PROPERTIES).succeeded();
    driver = cluster.workspace().start("run", Workspace.PROPERTIES);
    driver.awaitOutput("Running Average");
    Matcher page = PAGE.matcher(driver.output());
    assertThat(page.find()).as(driver.output()).isTrue();
    driverUrl = page.group(1);
  }

  @AfterAll
  static void end() {
    if (driver != null) {
      driver.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String get(String url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static String urlOf(String program) {
    return program.equals("driver") ? driverUrl : proxyUrl;
  }

  private static Path installed(String program, String debianPackage) {
    Path path = Path.of("/usr/bin", program);
    assumeTrue(Files.isExecutable(path), path + " of Debian's " + debianPackage + " is missing");
    return path;
  }

  private static Finished pipe(String input, List<String> command) throws Exception {
    Path file = Files.createTempFile(directory, "input", ".txt");
    Files.writeString(file, input);
    List<String> whole = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" < \"$0\""));
    whole.add(file.toString());
    whole.addAll(command);
    try (DriverProcess process = cluster.workspace().startCommand(whole, Map.of())) {
      return process.await();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"driver", "proxy"})
  void prometheusFindsNoFaultInTheMetrics(String program) throws Exception {
    String promtool = installed("promtool", "prometheus").toString();
    Finished checked = pipe(get(urlOf(program) + "metrics"), List.of(promtool, "check", "metrics"));
    List<String> found = new ArrayList<>(checked.all().lines().toList());
    if (program.equals("proxy")) {
      found.removeIf(line -> NAMES_OF_MICROMETER.stream().anyMatch(line::startsWith));
    }
    assertThat(found).as("what promtool says of the %s", program).isEmpty();
    Finished broken = pipe("x_total{a=1} 2\n", List.of(promtool, "check", "metrics"));
    assertThat(broken.status()).as("of a text that is no exposition").isNotZero();
  }

  /** The rules are whole, and each metric that they ask for is exported. */
  @Test
  void prometheusFindsNoFaultInTheAlertRules() throws Exception {
    String promtool = installed("promtool", "prometheus").toString();
    Path rules = Workspace.root().resolve("config/prometheus-alerts.yml");
    pipe("", List.of(promtool, "check", "rules", rules.toString())).succeeded();
    String exported = get(driverUrl + "metrics") + get(proxyUrl + "metrics");
    Matcher name =
        Pattern.compile("\\b(shardmark_(?:driver|proxy)_\\w+)").matcher(Files.readString(rules));
    while (name.find()) {
      assertThat(exported).contains("\n" + name.group(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"driver", "proxy"})
  void prometheusPythonClientReadsTheMetrics(String program) throws Exception {
    String python = installed("python3", "python3").toString();
    Finished there = pipe("", List.of(python, "-c", "import prometheus_client"));
    assumeTrue(there.status() == 0, "Debian's python3-prometheus-client is missing");
    Finished parsed = pipe(get(urlOf(program) + "metrics"), List.of(python, "-c", PARSER));
    parsed.succeeded();
    String prefix = "shardmark_" + program + "_";
    assertThat(parsed.out()).contains(prefix).contains(" histogram ").contains(" counter ");
  }

  @Test
  void theDriversNumbersGrowAndKnowTheShards() throws Exception {
    String committed =
        "shardmark_driver_transactions_total{outcome=\"committed\",role=\"main\",type=\"NEW_ORDER\"}";
    double before = value(get(driverUrl + "metrics"), committed);
    String now =
        awaitAnswer(
            driverUrl + "metrics",
            metrics ->
                value(metrics, committed) > before
                    && value(metrics, SHARD_TRANSACTIONS.formatted("s1")) > 0
                    && value(metrics, SHARD_TRANSACTIONS.formatted("s2")) > 0);
    assertThat(value(now, "shardmark_driver_phase{phase=\"measuring\"}")).isEqualTo(1);
    assertThat(value(now, "shardmark_driver_connections{state=\"in_use\"}"))
        .as("or idle at that moment")
        .isBetween(0.0, 4.0);
    awaitAnswer(
        driverUrl + "api/live",
        answer -> {
          JsonNode live = MAPPER.readTree(answer);
          double share = live.at("/shards/0/share").asDouble();
          return live.path("shards").size() == 2
              && share > 0
              && share < 1
              && live.at("/history/size").asInt() > 0;
        });
  }

  private interface Wanted {
    boolean test(String answer) throws IOException;
  }

  /** Asks until the answer is as wanted; nothing tells when it is. */
  private static String awaitAnswer(String url, Wanted wanted) {
    return await(url)
        .atMost(DriverProcess.PATIENCE)
        .until(
            () -> get(url),
            answer -> {
              try {
                return wanted.test(answer);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private static double value(String exposition, String sample) {
    return exposition
        .lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(sample + " is missing in\n" + exposition));
  }

  @ParameterizedTest
  @ValueSource(strings = {"driver", "proxy"})
  void grafanaCanImportTheDashboard(String program) throws Exception {
    JsonNode dashboard = dashboard(program);
    assertThat(dashboard.path("title").asText()).isNotBlank();
    assertThat(dashboard.path("uid").asText()).matches("[a-zA-Z0-9_-]{1,40}");
    assertThat(dashboard.path("schemaVersion").asInt()).isGreaterThanOrEqualTo(36);
    Set<String> variables = new TreeSet<>(Set.of("__rate_interval"));
    dashboard.path("templating").path("list").forEach(v -> variables.add(v.path("name").asText()));
    assertThat(variables).contains("datasource", "instance");
    Set<Integer> ids = new TreeSet<>();
    boolean[][] taken = new boolean[1000][24];
    for (JsonNode panel : dashboard.path("panels")) {
      String title = panel.path("title").asText();
      assertThat(title).isNotBlank();
      assertThat(ids.add(panel.path("id").asInt())).as("id of %s is its own", title).isTrue();
      occupy(taken, panel.path("gridPos"), title);
      assertThat(panel.path("type").asText()).isIn("row", "timeseries", "stat", "heatmap");
      if (panel.path("type").asText().equals("row")) {
        continue;
      }
      assertThat(panel.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
      assertThat(panel.path("datasource").path("type").asText()).isEqualTo("prometheus");
      Set<String> refIds = new TreeSet<>();
      for (JsonNode target : panel.path("targets")) {
        assertThat(refIds.add(target.path("refId").asText())).as(title).isTrue();
        Matcher variable = Pattern.compile("\\$(\\w+)").matcher(target.path("expr").asText());
        while (variable.find()) {
          assertThat(variables).as("variables of %s", title).contains(variable.group(1));
        }
      }
      assertThat(refIds).as("targets of %s", title).isNotEmpty();
    }
    assertThat(ids).hasSizeGreaterThan(15);
  }

  private static void occupy(boolean[][] taken, JsonNode place, String title) {
    int right = place.path("x").asInt() + place.path("w").asInt();
    int bottom = place.path("y").asInt() + place.path("h").asInt();
    assertThat(right).as("right end of %s", title).isBetween(1, 24);
    for (int y = place.path("y").asInt(); y < bottom; y++) {
      for (int x = place.path("x").asInt(); x < right; x++) {
        assertThat(taken[y][x]).as("%s lies on another panel", title).isFalse();
        taken[y][x] = true;
      }
    }
  }

  private static JsonNode dashboard(String program) throws IOException {
    Path file = Workspace.root().resolve("config/grafana-" + program + ".json");
    return MAPPER.readTree(Files.readString(file));
  }

  /** With Grafana's variables filled in as it would. */
  private static List<String> expressions(String program) throws IOException {
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : dashboard(program).path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        expressions.add(
            target
                .path("expr")
                .asText()
                .replace("$instance", ".*")
                .replace("$__rate_interval", "30s"));
      }
    }
    assertThat(expressions).hasSizeGreaterThan(15);
    return expressions;
  }

  @ParameterizedTest
  @ValueSource(strings = {"driver", "proxy"})
  void theDashboardAsksForWhatIsThere(String program) throws Exception {
    Set<String> asked = new TreeSet<>();
    for (String expression : expressions(program)) {
      Matcher name = METRIC.matcher(expression);
      while (name.find()) {
        asked.add(name.group(1));
      }
    }
    // An error raises its counter's family; there may have been none.
    asked.remove("shardmark_driver_errors_total");
    assertThat(asked).hasSizeGreaterThan(8);
    // Some come with the first transaction of their kind.
    awaitAnswer(urlOf(program) + "metrics", metrics -> samples(metrics).containsAll(asked));
  }

  /** Names of all samples. */
  private static Set<String> samples(String exposition) {
    Set<String> names = new TreeSet<>();
    exposition
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> names.add(line.replaceFirst("[{ ].*", "")));
    return names;
  }

  @ParameterizedTest
  @ValueSource(strings = {"driver", "proxy"})
  void prometheusParsesEachExpressionOfTheDashboard(String program) throws Exception {
    String promtool = installed("promtool", "prometheus").toString();
    StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
    for (String expression : expressions(program)) {
      rules.append("  - record: panel\n    labels: {n: \"%d\"}\n".formatted(rules.length()));
      rules.append("    expr: '").append(expression.replace("'", "''")).append("'\n");
    }
    Path file = Files.writeString(directory.resolve(program + "-rules.yaml"), rules);
    try (DriverProcess process =
        cluster
            .workspace()
            .startCommand(List.of(promtool, "check", "rules", file.toString()), Map.of())) {
      process.await().succeeded();
    }
  }

  @Test
  void prometheusAnswersTheDashboards() throws Exception {
    Path prometheus = installed("prometheus", "prometheus");
    Files.writeString(
        directory.resolve("prometheus.yml"),
        """
        global: {scrape_interval: 1s}
        scrape_configs:
        - job_name: shardmark
          static_configs: [{targets: ['%s', '%s']}]
        """
            .formatted(URI.create(driverUrl).getAuthority(), URI.create(proxyUrl).getAuthority()));
    int port = FreePort.find();
    List<String> command =
        List.of(
            prometheus.toString(),
            "--config.file=" + directory.resolve("prometheus.yml"),
            "--storage.tsdb.path=" + directory.resolve("tsdb"),
            "--web.listen-address=127.0.0.1:" + port);
    try (DriverProcess process = cluster.workspace().startCommand(command, Map.of())) {
      process.awaitError("Server is ready to receive web requests");
      String query = "http://127.0.0.1:" + port + "/api/v1/query?query=";
      for (String program : List.of("driver", "proxy")) {
        for (String expression : expressions(program)) {
          // A run without errors has no rate of errors.
          if (!expression.contains("shardmark_driver_errors_total")) {
            awaitResult(query, expression);
          }
        }
      }
    }
  }

  /** Rates need two scrapes. */
  private static void awaitResult(String query, String expression) {
    String url = query + URLEncoder.encode(expression, StandardCharsets.UTF_8);
    awaitAnswer(
        url,
        text -> {
          JsonNode answer = MAPPER.readTree(text);
          assertThat(answer.path("status").asText())
              .as("%s: %s", expression, text)
              .isEqualTo("success");
          return !answer.path("data").path("result").isEmpty();
        });
  }
}
