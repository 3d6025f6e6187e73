package io.shardmark.driver.run;

import static java.util.Objects.requireNonNull;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DriversConfig;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.console.FinalReport;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.meeting.AppointedGroup;
import io.shardmark.driver.meeting.DatabaseGroup;
import io.shardmark.driver.meeting.DriverGroup;
import io.shardmark.driver.meeting.DriverGroup.Fate;
import io.shardmark.driver.meeting.DriverGroup.Other;
import io.shardmark.driver.meeting.DriverIdentity;
import io.shardmark.driver.meeting.GroupTerms;
import io.shardmark.driver.meeting.MeetingTable;
import io.shardmark.driver.meeting.StartInstant;
import io.shardmark.driver.merge.PartSet;
import io.shardmark.driver.merge.ResultMerger;
import io.shardmark.driver.merge.TotalsFile;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.RunResult;
import io.shardmark.sql.dialect.Dialect;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One driver's part in a run that several make together: what a run does more then. Used by the
 * thread of the run, but for {@link #requestStop}.
 */
final class SharedRun implements AutoCloseable {
  private final DriverGroup group;
  private final DriversConfig drivers;
  private final Settings settings;
  private final RunConsole console;
  private @Nullable ResultDirectory own;
  private @Nullable StartInstant start;
  private long lateNanos;

  private SharedRun(
      DriverGroup group, DriversConfig drivers, Settings settings, RunConsole console) {
    this.group = group;
    this.drivers = drivers;
    this.settings = settings;
    this.console = console;
  }

  /** Waits until all drivers are there and agree, or, with {@code startAt}, takes that as given. */
  static SharedRun join(
      BenchmarkProperties properties, Benchmark benchmark, int run, RunConsole console)
      throws InterruptedException {
    DriversConfig drivers = properties.drivers();
    Settings own = Settings.of(benchmark, properties);
    Map<String, String> settings = SharedSettings.of(properties, benchmark);
    Optional<Instant> startAt = drivers.startAt();
    GroupTerms proposal =
        new GroupTerms(
            // With startAt, drivers with other settings come to another name, and are not merged.
            startAt
                .map(at -> at + " " + Integer.toHexString(settings.toString().hashCode()))
                .orElseGet(() -> UUID.randomUUID().toString()),
            own.run().seed(),
            own.run().seedDrawn(),
            startAt.isPresent() ? 0 : run,
            own.scale().whole(),
            startAt.orElseGet(Instant::now).atZone(ZoneId.systemDefault()).toString());
    DriverGroup group =
        startAt.isPresent()
            ? new AppointedGroup(drivers, startAt.get(), proposal)
            : DatabaseGroup.join(
                drivers,
                identity(drivers, own, settings),
                proposal,
                table(properties),
                new DriverGroup.Messages(console::info, console::error));
    GroupTerms terms = group.terms();
    return new SharedRun(group, drivers, own.withSeed(terms.seed(), terms.seedDrawn()), console);
  }

  private static DriverIdentity identity(
      DriversConfig drivers, Settings own, Map<String, String> settings) {
    return new DriverIdentity(
        drivers.index(),
        hostName(),
        Product.NAME_AND_VERSION,
        new DriverIdentity.Share(own.scale().from(), own.scale().to(), own.run().terminals()),
        settings);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "a machine without a name";
    }
  }

  private static MeetingTable table(BenchmarkProperties properties) {
    ConnectionConfig connection = properties.connection();
    try (Database database = Database.open(connection, 1, line -> {})) {
      String shard =
          database
              .shardMap()
              .filter(map -> map.isOfProxy() && map.shards().size() > 1)
              .map(map -> map.shards().get(0).name())
              .orElse("");
      return new MeetingTable(
          database.connections()::open, Dialect.of(connection.database()), shard);
    } catch (SQLException e) {
      throw new ConfigException("the database cannot be asked for its shards: " + FirstLine.of(e));
    }
  }

  /** This driver's share, with what the drivers agreed on. */
  Settings settings() {
    return settings;
  }

  int run() {
    return group.terms().run();
  }

  /** True for the driver that observes what all share, such as the server. */
  boolean isFirst() {
    return drivers.isFirst();
  }

  /** Creates this driver's own result directory, next to those of the other drivers. */
  ResultDirectory newDirectory(String pattern) throws IOException {
    ResultDirectory made =
        ResultDirectory.createPart(
            pattern, ZonedDateTime.parse(group.terms().start()), drivers.index());
    own = made;
    return made;
  }

  /**
   * Waits until all drivers can start.
   *
   * @return an instant in the future
   */
  long awaitStart() throws InterruptedException {
    StartInstant agreed = group.awaitStart();
    start = agreed;
    return agreed.nanos();
  }

  /**
   * The terminals are there: waits for their start.
   *
   * @throws ConfigException if a driver was lost meanwhile
   */
  void awaitInstant() throws InterruptedException {
    StartInstant agreed = requireNonNull(start);
    lateNanos = Math.max(0, System.nanoTime() - agreed.nanos());
    group.awaitInstant(agreed);
    if (lateNanos > 0) {
      console.warn("the terminals started %.1f ms late".formatted(lateNanos / 1e6));
    }
  }

  /** The run does not begin: takes its directory back. */
  void discard() {
    ResultDirectory made = own;
    if (made != null) {
      try {
        made.discard();
      } catch (IOException e) {
        console.warn("%s is left: %s".formatted(made.root(), e.getMessage()));
      }
    }
  }

  /** This driver cannot take part. */
  void refuse(String reason) {
    group.refuse(reason);
  }

  void onStop(LongConsumer end) {
    group.onStop(end);
  }

  /** This driver is to end; all will. */
  void requestStop() {
    group.requestStop("received a signal");
  }

  /** True if one of the drivers is to end. */
  boolean isStopped() {
    return group.isStopped();
  }

  /**
   * What this driver's own result says of the group.
   *
   * @param observedSinceNanos when its observers began
   */
  Drivers part(long observedSinceNanos) {
    StartInstant agreed = requireNonNull(start);
    OptionalLong drift = group.driftNanos();
    return new Drivers(
        group.terms().group(),
        drivers.count(),
        false,
        null,
        null,
        List.of(
            Drivers.DriverPart.of(
                drivers.index(),
                settings.scale().from(),
                settings.scale().to(),
                settings.run().terminals(),
                settings.run().connections(),
                Latency.millis(agreed.uncertaintyNanos()),
                Latency.millis(lateNanos),
                drift.isPresent() ? Latency.millis(drift.getAsLong()) : null,
                Latency.millis(agreed.nanos() - observedSinceNanos))),
        List.of());
  }

  /**
   * This driver's result is written: driver 0 waits for those of the others, and merges them if all
   * are where its own is.
   *
   * @param result this driver's
   * @return what the run has in the end
   */
  BenchmarkRun.Result finish(
      BenchmarkRun.Result result, RunStatistics statistics, Workload workload)
      throws IOException, InterruptedException {
    ResultDirectory directory = requireNonNull(own, "no result directory");
    TotalsFile.write(directory, statistics, workload.metrics(), workload.auditRules());
    if (isFirst() && drivers.startAt().isEmpty()) {
      console.info("");
      console.info("Waiting for the other drivers' results");
    }
    List<Other> others = group.finish(directory.root());
    List<Other> missing = others.stream().filter(other -> isMissing(other)).toList();
    boolean complete = result.filesComplete() && missing.isEmpty();
    Path whole = ResultDirectory.wholeOf(directory.root());
    List<Other> elsewhere =
        others.stream()
            .filter(other -> other.fate() == Fate.DONE)
            .filter(other -> !isIn(whole, other))
            .toList();
    if (!isFirst() || drivers.startAt().isPresent() || !elsewhere.isEmpty()) {
      if (isFirst()) {
        elsewhere.forEach(this::tellOfElsewhere);
      }
      console.info(
          "When all results are in %s: java -jar driver.jar merge %s"
              .formatted(directory.root().getParent(), whole));
      return new BenchmarkRun.Result(result.figures(), result.directory(), complete);
    }
    RunResult merged =
        new ResultMerger(
                PartSet.readWritten(whole), ResultDirectory.openWhole(whole), console::warn)
            .merge(missing.stream().map(this::lost).toList());
    FinalReport.print(FinalReport.lines(merged), console);
    return new BenchmarkRun.Result(merged, Optional.of(whole), complete);
  }

  /** Driver 0 has waited; to the others it is no news that one ends later. */
  private boolean isMissing(Other other) {
    return other.fate() == Fate.LOST || (isFirst() && other.fate() != Fate.DONE);
  }

  private static boolean isIn(Path whole, Other other) {
    return Files.isDirectory(ResultDirectory.partOf(whole, other.identity().index()));
  }

  private void tellOfElsewhere(Other other) {
    console.info(
        "The result of driver %d is on %s in %s"
            .formatted(other.identity().index(), other.identity().host(), other.place()));
  }

  private Drivers.Lost lost(Other other) {
    DriverIdentity.Share share = other.identity().share();
    return new Drivers.Lost(
        other.identity().index(),
        share.from(),
        share.to(),
        share.terminals(),
        other.fate() == Fate.LOST
            ? "it was lost during the run"
            : "it did not end within %d s (driverWaitSecs)"
                .formatted(drivers.patience().toSeconds()));
  }

  @Override
  public void close() {
    group.close();
  }
}
