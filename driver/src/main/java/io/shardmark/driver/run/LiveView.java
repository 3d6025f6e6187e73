package io.shardmark.driver.run;

import io.shardmark.config.LiveConfig;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.console.StatusLine;
import io.shardmark.driver.console.StatusLine.LineMode;
import io.shardmark.driver.live.LiveRun;
import io.shardmark.driver.live.LiveServer;
import io.shardmark.driver.live.RunFacts;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.results.RunResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a run shows itself while it goes on: the status line, and the port where it is served. Used
 * by the main thread.
 */
final class LiveView implements AutoCloseable {
  private final RunConsole console;
  private final @Nullable LiveServer server;
  private @Nullable StatusLine status;
  private final Consumer<String> notes;
  private boolean broken;
  private @Nullable LiveRun run;

  private LiveView(RunConsole console, @Nullable LiveServer server, Consumer<String> notes) {
    this.console = console;
    this.server = server;
    this.notes = notes;
  }

  /**
   * Takes the port, if there is to be one.
   *
   * @param notes receives one line if the view has a fault
   * @throws io.shardmark.config.ConfigException if it cannot be had
   */
  static LiveView open(LiveConfig config, RunConsole console, Consumer<String> notes) {
    LiveServer server =
        config.listener().map(listener -> LiveServer.bind(listener, notes)).orElse(null);
    return new LiveView(console, server, notes);
  }

  /** Says where the page is. */
  void announce() {
    if (server != null) {
      console.info("Live page: %s    Prometheus: %smetrics".formatted(server.url(), server.url()));
      console.info("");
    }
  }

  /**
   * The collector is about to start. Without a port nothing is collected: the status line needs no
   * more than every run does.
   */
  void watch(RunFacts facts, LiveRun.Sources sources) {
    status = new StatusLine(console, LineMode.ofStandardOutput(), facts.types(), facts.metrics());
    if (server != null) {
      LiveRun watched = new LiveRun(facts, sources);
      sources.collector().watch(facts.shards().size(), watched::second);
      run = watched;
      server.serve(watched);
    }
  }

  /** To be called once the terminals have started, and about once a second. */
  void update(LiveFigures live) {
    if (broken) {
      return;
    }
    try {
      status().update(live);
    } catch (RuntimeException e) {
      // A run must not end because it cannot be drawn.
      broken = true;
      notes.accept("status line: stopped by an internal fault: " + e);
    }
  }

  /** The measurement interval is over. */
  void end() {
    status().end();
  }

  private StatusLine status() {
    return Objects.requireNonNull(status, "watch comes first");
  }

  /** The figures are final: open pages learn of it. */
  void finish(RunResult result) {
    if (run != null) {
      run.finish(result);
    }
  }

  /**
   * Waits for pages that have not learned of the end yet, for a moment at most.
   *
   * @param directory of the result, with its report
   */
  void awaitViewers(Optional<Path> directory) throws InterruptedException {
    if (run != null) {
      run.written(
          directory
              .map(one -> one.resolve("report.html").toAbsolutePath().normalize())
              .filter(Files::isRegularFile));
    }
    if (server != null) {
      server.awaitViewers();
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
