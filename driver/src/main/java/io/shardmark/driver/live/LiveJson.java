package io.shardmark.driver.live;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.driver.benchmark.Metric;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.bottleneck.WaitClass;
import io.shardmark.driver.live.LiveState.ClientState;
import io.shardmark.driver.live.LiveState.ConnectionState;
import io.shardmark.driver.live.LiveState.ErrorState;
import io.shardmark.driver.live.LiveState.Measured;
import io.shardmark.driver.live.LiveState.ShardState;
import io.shardmark.driver.live.LiveState.TypeState;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.SuccessCounts;
import io.shardmark.driver.report.ChartJson;
import io.shardmark.driver.result.ServerSide;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What {@code /api/run} and {@code /api/live} answer; {@code docs/live.md} describes it. */
final class LiveJson {
  private static final int SCHEMA_VERSION = 1;
  private static final int MOST_ERRORS = 50;

  private static final ObjectMapper MAPPER = ChartJson.mapper();

  private final LiveRun run;

  LiveJson(LiveRun run) {
    this.run = run;
  }

  /** What does not change while the run goes on; {@code scaledBy} is the scale by its own name. */
  private record Facts(
      String schema,
      int schemaVersion,
      int run,
      String product,
      String workload,
      String database,
      @JsonAnyGetter Map<String, Integer> scaledBy,
      Sized scale,
      int terminals,
      int connections,
      String statementProfile,
      String start,
      BigDecimal rampUpSeconds,
      @Nullable BigDecimal seconds,
      @Nullable Long transactions,
      List<Type> types,
      List<Figure> metrics,
      List<String> shards) {
    record Sized(String name, int number) {}

    record Type(String name, boolean headline, boolean counted, long limitMillis) {}

    /** A period of 0 is that of a metric that is no rate. */
    record Figure(String name, String unit, int periodSeconds, boolean ofAll) {}
  }

  byte[] facts() {
    RunFacts facts = run.facts();
    Scale scale = facts.load().scale();
    return bytes(
        new Facts(
            "shardmark-live",
            SCHEMA_VERSION,
            facts.run(),
            facts.product(),
            facts.workload(),
            facts.database(),
            Map.of(scale.plural(), scale.size()),
            new Facts.Sized(scale.name(), scale.size()),
            facts.load().terminals(),
            facts.load().connections(),
            facts.load().statementProfile(),
            facts.start().format(DateTimeFormatter.ISO_OFFSET_DATE_TIME),
            seconds(facts.plan().rampUp()),
            facts.plan().length().map(LiveJson::seconds).orElse(null),
            facts.plan().transactions() > 0 ? facts.plan().transactions() : null,
            facts.types().stream()
                .map(
                    type ->
                        new Facts.Type(
                            type.name(),
                            type.headline(),
                            type.counted(),
                            type.responseTimeLimit().toMillis()))
                .toList(),
            facts.metrics().stream()
                .map(
                    metric ->
                        new Facts.Figure(
                            metric.name(),
                            metric.unit(),
                            metric.isRate() ? metric.periodSeconds() : 0,
                            metric.ofAll()))
                .toList(),
            facts.shards()));
  }

  /** How it does now. Maps have each rate by the name of its metric. */
  private record State(
      int run,
      String phase,
      BigDecimal sinceStartSeconds,
      @Nullable BigDecimal secondsLeft,
      Map<String, Object> now,
      Map<String, Object> measured,
      @Nullable Map<String, Object> result,
      List<TypeState> types,
      List<ErrorState> errors,
      List<ShardState> shards,
      ConnectionState connections,
      ClientState client,
      IdleSessions.@Nullable Count idleSessions,
      Server server,
      Map<String, Object> history) {
    /** What is seen of the server; the machine's disks by name, with the share they are busy. */
    record Server(
        @Nullable Machine machine,
        String missing,
        Map<String, Double> sessions,
        Map<String, Double> perSecond) {}

    record Machine(
        boolean ofServer, double busyShare, double ioWaitShare, Map<String, Double> disks) {}
  }

  /**
   * How it does now.
   *
   * @param width of the points of the history that the reader has
   * @param from index of the first point that it has not
   */
  byte[] state(int width, int from) {
    LiveState state = run.state();
    LiveFigures now = state.now();
    Map<String, Object> rates = new LinkedHashMap<>();
    addRates(rates, now.current(), LiveJson::ofNow);
    rates.put("p95Millis", now.p95Nanos() / 1e6);
    rates.put("transactions", now.transactions());
    return bytes(
        new State(
            run.facts().run(),
            state.result().isPresent() ? "over" : phase(now),
            seconds(now.sinceStart()),
            now.timeLeft().map(LiveJson::seconds).orElse(null),
            rates,
            measured(state.measured()),
            state.result().map(this::result).orElse(null),
            state.types(),
            state.errors().stream().limit(MOST_ERRORS).toList(),
            state.shards(),
            state.connections(),
            state.client(),
            run.idle().orElse(null),
            server(run.server()),
            history(run.history().since(width, from))));
  }

  private void addRates(
      Map<String, Object> to, SuccessCounts counts, BiFunction<Metric, Double, Double> shown) {
    for (Metric metric : run.facts().rates()) {
      double rate = counts.rate(metric, run.facts().types());
      to.put(metric.name(), shown.apply(metric, rate));
    }
  }

  /** Of the last seconds; what counts by the minute needs no fractions. */
  private static double ofNow(Metric metric, double rate) {
    return metric.periodSeconds() > 1 ? Math.round(rate) : rate;
  }

  private Map<String, Object> measured(Measured measured) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("seconds", measured.seconds());
    addRates(figures, measured.counts(), (metric, rate) -> rate);
    figures.put("transactions", measured.transactions());
    figures.put("errors", measured.errors());
    figures.put("retries", measured.retries());
    return figures;
  }

  private Map<String, Object> result(RunResult result) {
    RunVerdict verdict = requireNonNull(result.verdict(), "a run that was not judged");
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("ending", result.run().ending().jsonName());
    figures.put("verdict", verdict.sentence());
    figures.put("grade", verdict.kind().grade().name().toLowerCase(Locale.ROOT));
    result
        .metrics()
        .forEach(metric -> figures.put(metric.name(), BigDecimal.valueOf(metric.value())));
    figures.put("transactions", result.transactionCount());
    figures.put("errors", result.errorCount());
    figures.put("written", run.isWritten());
    figures.put("report", run.report().map(Path::toString).orElse(""));
    return figures;
  }

  /** The phase as this interface names it. */
  static String phase(LiveFigures now) {
    return now.phase().name().toLowerCase(Locale.ROOT);
  }

  private static State.Server server(ServerSide server) {
    return new State.Server(
        server
            .machine()
            .map(
                machine -> {
                  Map<String, Double> disks = new LinkedHashMap<>();
                  machine.disks().forEach((name, disk) -> disks.put(name, disk.busyShare()));
                  return new State.Machine(
                      machine.ofServer(), machine.busyShare(), machine.ioWaitShare(), disks);
                })
            .orElse(null),
        server.waits().missing(),
        WaitClass.sessionsByText(server.waits()),
        server.figures());
  }

  private Map<String, Object> history(History.Part part) {
    HistoryColumns columns = run.columns();
    Map<String, Object> history = new LinkedHashMap<>();
    history.put("firstSecond", part.firstSecond());
    history.put("width", part.width());
    history.put("from", part.from());
    history.put("size", part.from() + part.size());
    columns.ofRun((name, column) -> history.put(name, values(part, column)));
    List<Map<String, Object>> types = new ArrayList<>();
    for (TransactionType type : run.facts().types()) {
      Map<String, Object> one = new LinkedHashMap<>();
      columns.ofType(type.index(), (name, column) -> one.put(name, values(part, column)));
      types.add(one);
    }
    history.put("types", types);
    List<Map<String, Object>> shards = new ArrayList<>();
    for (int shard = 0; shard < run.facts().shards().size(); shard++) {
      shards.add(Map.of("perMinute", values(part, columns.ofShard(shard))));
    }
    history.put("shards", shards);
    return history;
  }

  private static List<Double> values(History.Part part, int column) {
    return Arrays.stream(part.columns().get(column)).boxed().toList();
  }

  private static BigDecimal seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis() / 1000.0);
  }

  private static byte[] bytes(Object answer) {
    try {
      return MAPPER.writeValueAsBytes(answer);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e); // records of plain values can always be written
    }
  }
}
