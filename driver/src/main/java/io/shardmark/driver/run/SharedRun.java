package io.shardmark.driver.run;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.console.FinalReport;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.coordination.Collected;
import io.shardmark.driver.coordination.DriverGroup;
import io.shardmark.driver.coordination.DriverIdentity;
import io.shardmark.driver.coordination.GroupTerms;
import io.shardmark.driver.coordination.StartInstant;
import io.shardmark.driver.merge.PartSet;
import io.shardmark.driver.merge.ResultMerger;
import io.shardmark.driver.merge.TotalsFile;
import io.shardmark.driver.result.DriversSummary;
import io.shardmark.driver.result.DriversSummary.LostDriver;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.result.RunSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One driver's part in a run that several make together: what a run does more then. Used by the
 * thread of the run, but for {@link #requestStop}.
 */
final class SharedRun implements AutoCloseable {
  /** Below the merged result, a directory for each driver. */
  private static final String PARTS = "drivers";

  private final DriverGroup group;
  private final RunConfig config;
  private final RunConsole console;
  private @Nullable ResultDirectory whole;
  private @Nullable ResultDirectory own;
  private @Nullable StartInstant start;
  private long lateNanos;

  private SharedRun(DriverGroup group, RunConfig config, RunConsole console) {
    this.group = group;
    this.config = config;
    this.console = console;
  }

  /** Waits until all drivers are there and agree. */
  static SharedRun join(
      BenchmarkProperties properties, String workload, int run, RunConsole console)
      throws InterruptedException {
    DriversConfig drivers = properties.drivers();
    RunConfig config = properties.run();
    DriverIdentity identity =
        new DriverIdentity(
            drivers.index(),
            Product.NAME_AND_VERSION,
            new DriverIdentity.Share(
                config.warehouseFrom(),
                config.warehouseTo(),
                config.firstTerminal(),
                config.terminals(),
                config.connections()),
            SharedSettings.of(properties, workload));
    DriverGroup group =
        DriverGroup.join(
            drivers,
            identity,
            new DriverGroup.Proposal(config.warehouses(), config.seed(), config.seedDrawn(), run),
            new DriverGroup.Voice(console::info, console::error));
    GroupTerms terms = group.terms();
    return new SharedRun(group, config.withSeed(terms.seed(), terms.seedDrawn()), console);
  }

  /** This driver's share, with what the drivers agreed on. */
  RunConfig config() {
    return config;
  }

  int run() {
    return group.terms().run();
  }

  /** True for the driver that observes what all share, such as the server. */
  boolean isFirst() {
    return group.config().isCoordinator();
  }

  /** Makes the directory of this driver's own result. */
  ResultDirectory newDirectory(String pattern, ZonedDateTime startTime) throws IOException {
    ResultDirectory made;
    if (isFirst()) {
      ResultDirectory merged = ResultDirectory.create(pattern, startTime);
      whole = merged;
      Path parts = Files.createDirectory(merged.root().resolve(PARTS));
      group.receiveInto(parts);
      made = ResultDirectory.create(parts.resolve("0").toString());
    } else {
      made = ResultDirectory.create(pattern, startTime, "_driver" + group.config().index());
    }
    own = made;
    return made;
  }

  /** Where the parts of a merged result are. */
  static Path partsOf(Path merged) {
    return merged.resolve(PARTS);
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
    StartInstant agreed = agreedStart();
    lateNanos = Math.max(0, System.nanoTime() - agreed.nanos());
    group.awaitInstant(agreed);
    if (lateNanos > 0) {
      console.warn("the terminals started %.1f ms late".formatted(lateNanos / 1e6));
    }
  }

  private StartInstant agreedStart() {
    StartInstant agreed = start;
    if (agreed == null) {
      throw new IllegalStateException("not started");
    }
    return agreed;
  }

  /** The run does not begin: takes its directories back. */
  void discard() {
    ResultDirectory made = whole == null ? own : whole;
    if (made != null) {
      try {
        made.discard();
      } catch (IOException e) {
        console.warn("%s is left behind: %s".formatted(made.root(), e.getMessage()));
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

  /** This driver was told to end; all will. */
  void requestStop() {
    group.requestStop("was told to end");
  }

  /** True if one of the drivers was told to end. */
  boolean isStopped() {
    return group.isStopped();
  }

  /**
   * What this driver's own result says of the group.
   *
   * @param observedSinceNanos when its observers began
   */
  DriversSummary part(long observedSinceNanos) {
    DriversSummary.Driver driver =
        new DriversSummary.Driver(
            group.config().index(),
            new DriversSummary.Share(
                config.warehouseFrom(),
                config.warehouseTo(),
                config.terminals(),
                config.connections()),
            new DriversSummary.StartClock(
                agreedStart().uncertaintyNanos(),
                lateNanos,
                OptionalLong.empty(),
                agreedStart().nanos() - observedSinceNanos),
            List.of());
    return new DriversSummary(
        group.terms().group(),
        group.config().count(),
        DriversSummary.Kind.PART,
        List.of(driver),
        List.of());
  }

  /** What the run has in the end. */
  record Outcome(RunSummary summary, Path directory, boolean complete) {}

  /**
   * This driver's result is written: brings it to driver 0, or merges those of all.
   *
   * @param filesComplete false if this driver could not write all of its files
   */
  Outcome finish(RunSummary summary, boolean filesComplete)
      throws IOException, InterruptedException {
    ResultDirectory directory = own;
    if (directory == null) {
      throw new IllegalStateException("no result directory");
    }
    TotalsFile.write(directory, summary, summary.drivers().orElseThrow());
    ResultDirectory merged = whole;
    if (merged == null) {
      return new Outcome(summary, directory.root(), bring(directory.root()) && filesComplete);
    }
    return merge(merged, directory.root(), filesComplete);
  }

  private boolean bring(Path directory) throws InterruptedException {
    String failure = group.bring(directory);
    if (failure.isEmpty()) {
      console.info("Results were brought to driver 0 at " + group.config().coordinator());
      return true;
    }
    console.error(
        "results could not be brought to driver 0: %s; they are in %s, for: driver.jar merge OUT DIR..."
            .formatted(failure, directory));
    return false;
  }

  private Outcome merge(ResultDirectory merged, Path ownPart, boolean filesComplete)
      throws IOException, InterruptedException {
    console.info("");
    console.info("Waiting for the other drivers' results");
    Collected collected = group.collect();
    List<Path> parts = new ArrayList<>(List.of(ownPart));
    collected.parts().forEach(part -> parts.add(part.directory()));
    Map<Integer, Long> drift = new HashMap<>();
    collected.clocks().forEach(clock -> drift.put(clock.index(), clock.driftNanos()));
    List<LostDriver> lost = collected.lost().stream().map(SharedRun::lost).toList();
    RunSummary summary =
        ResultMerger.merge(
            PartSet.read(parts), merged, new ResultMerger.Known(drift, lost), console::warn);
    FinalReport.lines(summary).forEach(console::info);
    return new Outcome(summary, merged.root(), filesComplete && lost.isEmpty());
  }

  private static LostDriver lost(Collected.Lost lost) {
    DriverIdentity.Share share = lost.share();
    return new LostDriver(
        lost.index(),
        new DriversSummary.Share(
            share.warehouseFrom(), share.warehouseTo(), share.terminals(), share.connections()),
        lost.reason());
  }

  @Override
  public void close() {
    group.close();
  }
}
