package io.shardmark.driver.recorder;

import static io.shardmark.driver.measure.TestTypes.DELIVERY;
import static io.shardmark.driver.measure.TestTypes.DELIVERY_BG;
import static io.shardmark.driver.measure.TestTypes.NEW_ORDER;
import static io.shardmark.driver.measure.TestTypes.PAYMENT;
import static io.shardmark.driver.measure.TestTypes.STOCK_LEVEL;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.IsolationLevel;
import io.shardmark.config.LimitPacing;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.config.Secret;
import io.shardmark.config.ShardMapUse;
import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.benchmark.AuditRule.AuditUnit;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.judge.InputAudit;
import io.shardmark.driver.judge.Thresholds;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.Instants;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.LeftOver;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.QuietFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.TestTypes;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.DeferredWork;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.HoldUps;
import io.shardmark.driver.results.ResultDraft;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.results.Session;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A made-up run of one minute after 10 s of ramp-up: 20 New-Orders of 1 .. 20 ms of which the last
 * is rolled back and a further one deadlocks for good, 10 payments of 2 ms of which 3 cross
 * partitions in 8 ms, 2 deliveries with their background parts, 1 stock level.
 */
public final class SampleRun {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  public static final List<MetricRule> METRICS =
      List.of(
          MetricRule.rate("tpmC", "/min", MetricRule.Computation.COMMITS_PER_MINUTE, "NEW_ORDER"),
          MetricRule.rate("tpmTotal", "/min", MetricRule.Computation.COMMITS_PER_MINUTE));

  public static final List<AuditRule> RULES =
      List.of(
          new AuditRule(
              "9.2.2.5.1", "New-Orders rolled back", AuditUnit.PERCENT, 0, 1, 0.9, 1.1, ""));

  private SampleRun() {}

  /** Plays the run into a sink. */
  public static RunStatistics play(SampleSink sink) {
    return play(sink, TestTypes.TPCC);
  }

  /** The same with other types in place of TPC-C's. */
  public static RunStatistics play(SampleSink sink, List<TransactionType> types) {
    IntervalInForce interval = new IntervalInForce();
    ErrorLog errors = new ErrorLog(interval, notice -> {});
    Collector collector = new Collector(types, interval, errors, sink, 1, QuietFaults.none());
    SampleRecorder recorder = collector.newRecorder();
    // In the future, so that the collector's clock closes no second meanwhile.
    long start = System.nanoTime() + 3600 * SECOND;
    interval.begin(start - 10 * SECOND, new MeasurementInterval(start, start + 60 * SECOND));
    collector.start();
    commit(recorder, NEW_ORDER, start - SECOND, MILLI); // ramp-up
    for (int i = 1; i <= 19; i++) {
      commit(recorder, NEW_ORDER, start + SECOND * i, MILLI * i);
    }
    long end = start + 20 * SECOND;
    recorder.record(
        Instants.of(end - 20 * MILLI, end), NEW_ORDER, Disposition.ROLLED_BACK, 0, 0, false);
    end = start + 21 * SECOND;
    recorder.record(
        Instants.of(end - 900 * MILLI, end), NEW_ORDER, Disposition.DEADLOCK, 2, 0, false);
    recorder.error("NEW_ORDER", Disposition.DEADLOCK, "40P01", "deadlock detected", true);
    for (int i = 0; i < 7; i++) {
      commit(recorder, PAYMENT, start + 22 * SECOND, 2 * MILLI);
    }
    for (int i = 0; i < 3; i++) {
      end = start + 22 * SECOND;
      recorder.record(
          Instants.of(end - 8 * MILLI, end - 7 * MILLI, end - 5 * MILLI, end),
          PAYMENT,
          Disposition.COMMITTED,
          1,
          0,
          true);
    }
    for (int i = 0; i < 2; i++) {
      commit(recorder, DELIVERY, start + 30 * SECOND, MILLI / 2);
      end = start + 31 * SECOND;
      recorder.record(
          Instants.of(end - 64 * MILLI, end), DELIVERY_BG, Disposition.COMMITTED, 0, 3, false);
    }
    commit(recorder, STOCK_LEVEL, start + 59 * SECOND + 999 * MILLI, 4 * MILLI);
    commit(recorder, STOCK_LEVEL, start + 60 * SECOND, 4 * MILLI); // too late
    return collector.finish(new LeftOver(0));
  }

  private static void commit(SampleRecorder recorder, int type, long end, long latency) {
    recorder.record(Instants.of(end - latency, end), type, Disposition.COMMITTED, 0, 0, false);
  }

  /** The summary of the run. */
  public static RunResult result(RunStatistics statistics) {
    return result(statistics, METRICS, null);
  }

  /** The same judged by other metrics. */
  public static RunResult result(
      RunStatistics statistics, List<MetricRule> metrics, @Nullable Drivers drivers) {
    ZonedDateTime start = ZonedDateTime.of(2026, 11, 20, 21, 37, 11, 0, ZoneOffset.UTC);
    ResultDraft known = new ResultDraft();
    known.run =
        Session.of(7, "Shardmark 1.0", "TPC-C", start, start.plusSeconds(70), Ending.COMPLETED);
    known.scale = Scale.divided("warehouse", 2, 1, 2).result();
    known.configuration =
        ResultBuilder.configuration(
            connection(),
            config(),
            "read committed",
            ordered("db", "postgres", "password", "secret"));
    known.facts = ordered("C for C_LAST, load", "157");
    known.machine = ordered("processors", "2");
    known.jvm = ordered("version", "17.0.15");
    known.database = ordered("product", "PostgreSQL 15.18");
    known.deferredWork = new DeferredWork(5, 1);
    known.audit = InputAudit.evaluate(RULES, new long[] {1, 20});
    long rss = 128L << 20;
    HoldUps none = HoldUps.NONE;
    known.client =
        new Client(
            0.25, 2, 0.75, null, 0.02, false, 0.001, 3, 60, 0, 0, 0, 0.12, 40, 2, 2, rss, none,
            null);
    server().addTo(known);
    known.drivers = drivers;
    return ResultBuilder.of(
        known,
        metrics,
        Thresholds.parse(
            "errors>10%, NEW_ORDER.p99>5ms", List.of("NEW_ORDER"), List.of("tpmC", "tpmTotal")),
        statistics);
  }

  /** Of 10 sessions 4 are in a transaction, of which 3 wait for locks. */
  private static ServerSide server() {
    return new ServerSide(
        Map.of("commits", 33.0),
        new ServerWaits(
            300,
            60,
            1.5,
            "",
            List.of(
                new ServerWaits.Activity(ServerWaits.IDLE, "", 6),
                new ServerWaits.Activity("Lock", "transactionid", 2),
                new ServerWaits.Activity("Lock", "tuple", 1),
                new ServerWaits.Activity(ServerWaits.RUNNING, "", 1)),
            List.of(new ServerWaits.LockedTable("bmsql_warehouse", 3))),
        Optional.empty(),
        List.of());
  }

  private static ConnectionConfig connection() {
    return new ConnectionConfig(
        DatabaseKind.POSTGRES,
        "org.postgresql.Driver",
        "jdbc:postgresql://db:5432/tpcc?password=secret",
        "benchmarksql",
        new Secret("secret"),
        Duration.ofSeconds(10),
        Duration.ZERO,
        IsolationLevel.DEFAULT,
        ShardMapUse.AUTO);
  }

  private static RunConfig config() {
    return new RunConfig(
        10,
        10,
        0,
        Duration.ofMinutes(1),
        Duration.ofSeconds(10),
        3,
        42,
        false,
        new PacingConfig(0, 0, 0, Duration.ZERO, 0, LimitPacing.SCHEDULE, List.of()),
        0,
        10,
        own());
  }

  /** What TPC-C says was in effect. */
  private static Map<String, Object> own() {
    Map<String, Object> mix = new LinkedHashMap<>();
    mix.put("newOrder", 45.0);
    mix.put("payment", 43.0);
    mix.put("orderStatus", 4.0);
    mix.put("delivery", 4.0);
    mix.put("stockLevel", 4.0);
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("statementProfile", "benchmarksql");
    own.put("warehouses", 2);
    own.put("warehouseFrom", 1);
    own.put("warehouseTo", 2);
    own.put("terminalWarehouseFixed", true);
    own.put("newOrderRemotePercent", 1.0);
    own.put("paymentRemotePercent", 15.0);
    own.put("deliveryThreads", 1);
    own.put("mixPercent", mix);
    return own;
  }

  private static Map<String, String> ordered(String... pairs) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
