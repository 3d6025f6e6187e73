package io.shardmark.driver.run;

import io.shardmark.config.ConsoleMode;
import io.shardmark.config.LiveConfig;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.console.StatusLine;
import io.shardmark.driver.console.StatusLine.LineMode;
import io.shardmark.driver.live.LiveRun;
import io.shardmark.driver.live.LiveServer;
import io.shardmark.driver.live.RunFacts;
import io.shardmark.driver.live.screen.Dashboard;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.results.RunResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a run shows itself while it goes on: status lines or the dashboard, and the port where it is
 * served. Used by the main thread.
 */
final class LiveView implements AutoCloseable {
  private final LiveConfig config;
  private final RunConsole console;
  private final @Nullable LiveServer server;
  private @Nullable StatusLine status;
  private final Consumer<String> notes;
  private boolean broken;
  private @Nullable LiveRun run;
  private @Nullable Dashboard dashboard;

  private LiveView(
      LiveConfig config, RunConsole console, @Nullable LiveServer server, Consumer<String> notes) {
    this.config = config;
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
    return new LiveView(config, console, server, notes);
  }

  /** Says where the page is. */
  void announce() {
    if (server != null) {
      console.info("Live page: %s    Prometheus: %smetrics".formatted(server.url(), server.url()));
      console.info("");
    }
  }

  /**
   * The collector is about to start. Without anyone to see it nothing is collected: status lines
   * need no more than every run does.
   */
  void watch(RunFacts facts, LiveRun.Sources sources) {
    status = new StatusLine(console, LineMode.ofStandardOutput(), facts.types(), facts.metrics());
    if (server == null && !mayHaveDashboard()) {
      return;
    }
    LiveRun watched = new LiveRun(facts, sources);
    sources.collector().watch(facts.shards().size(), watched::second);
    run = watched;
    if (server != null) {
      server.serve(watched);
    }
  }

  private boolean mayHaveDashboard() {
    return switch (config.console()) {
      case PLAIN -> false;
      case AUTO -> LineMode.ofStandardOutput() == LineMode.IN_PLACE;
      case DASHBOARD -> true;
    };
  }

  /** The terminals have started. */
  void begin(LiveFigures live) {
    LiveRun watched = run;
    if (watched != null && config.console() != ConsoleMode.PLAIN) {
      boolean asked = config.console() == ConsoleMode.DASHBOARD;
      Dashboard.Opened opened = Dashboard.open(watched, console, asked);
      dashboard = opened.dashboard();
      if (asked && dashboard == null) {
        console.warn("console=dashboard: " + opened.whyNot() + "; it goes on as console=plain");
      }
    }
    update(live);
  }

  /** To be called about once a second. */
  void update(LiveFigures live) {
    if (broken) {
      return;
    }
    try {
      show(live);
    } catch (RuntimeException e) {
      // A run must not end because it cannot be drawn.
      broken = true;
      if (dashboard != null) {
        dashboard.close();
        dashboard = null;
      }
      notes.accept("status line: stopped by an internal fault: " + e);
    }
  }

  private void show(LiveFigures live) {
    if (dashboard == null) {
      status().update(live);
    } else {
      dashboard.draw();
    }
  }

  /** The measurement interval is over. What comes now is printed as without a dashboard. */
  void end(LiveFigures live) {
    if (dashboard != null) {
      dashboard.close();
      dashboard = null;
      status().update(live);
    }
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
    if (dashboard != null) {
      dashboard.close();
    }
    if (server != null) {
      server.close();
    }
  }
}
