package io.shardmark.driver.live.screen;

import static io.shardmark.driver.results.Texts.text;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.console.StatusLine;
import io.shardmark.driver.live.LiveRun;
import io.shardmark.driver.live.LiveState;
import io.shardmark.driver.live.LiveState.ErrorState;
import io.shardmark.driver.live.LiveState.ShardState;
import io.shardmark.driver.live.LiveState.TypeState;
import io.shardmark.driver.live.RunFacts;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.SuccessCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jspecify.annotations.Nullable;

/** The lines of the dashboard for a screen of some size. Pure; used for one picture. */
final class DashboardText {
  static final int LEAST_COLUMNS = 80;

  static final int LEAST_ROWS = 24;

  private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;
  private static final AttributedStyle BOLD = PLAIN.bold();
  private static final AttributedStyle FAINT = PLAIN.faint();
  private static final AttributedStyle TITLE = PLAIN.inverse().bold();
  private static final AttributedStyle BAD = coloured(AttributedStyle.RED).bold();
  private static final AttributedStyle GOOD = coloured(AttributedStyle.GREEN).bold();
  private static final AttributedStyle BUSY = coloured(AttributedStyle.YELLOW).bold();
  private static final AttributedStyle CURVE = coloured(AttributedStyle.CYAN);

  /** Points of the history that a wide screen can show. */
  private static final int MOST_POINTS = 600;

  private static final long BYTES_PER_MEGABYTE = 1 << 20;

  private final LiveRun run;
  private final RunFacts facts;
  private final LiveFigures now;
  private final LiveState state;
  private final Glyphs glyphs;
  private final int columns;
  private final List<AttributedString> lines = new ArrayList<>();

  /** The size of a screen in characters. */
  record Screen(int columns, int rows, Glyphs glyphs) {
    boolean isLargeEnough() {
      return columns >= LEAST_COLUMNS && rows >= LEAST_ROWS;
    }
  }

  private DashboardText(LiveRun run, Screen screen) {
    this.run = run;
    facts = run.facts();
    now = run.now();
    state = run.state();
    this.glyphs = screen.glyphs();
    this.columns = screen.columns();
  }

  /**
   * Exactly as many lines as the screen has rows, none longer than its columns.
   *
   * @param log what was said while the dashboard stood, the newest last
   */
  static List<AttributedString> lines(LiveRun run, Screen screen, List<String> log) {
    DashboardText text = new DashboardText(run, screen);
    if (!screen.isLargeEnough()) {
      text.addShort();
    } else {
      text.addHead();
      text.addRates();
      text.addTypes();
      text.addRest(screen.rows(), log);
    }
    return text.filled(screen.rows());
  }

  /** The variable NO_COLOR asks for none, if it is not empty (no-color.org). */
  private static AttributedStyle coloured(int colour) {
    return System.getenv().getOrDefault("NO_COLOR", "").isEmpty()
        ? PLAIN.foreground(colour)
        : PLAIN;
  }

  /** The window was made too small meanwhile. */
  private void addShort() {
    add(text("%s  %s", phase(), progress()), BOLD);
    add(
        facts.rates().stream()
            .map(rate -> rate.name() + " " + shown(rate, now.current()))
            .collect(Collectors.joining("  ")),
        PLAIN);
    add(text("p95 %s ms  errors %,d", millis(now.p95Millis()), now.errors()), PLAIN);
    add(text("%d x %d is needed", LEAST_COLUMNS, LEAST_ROWS), FAINT);
  }

  private void addHead() {
    String rest =
        String.join(
            glyphs.dot(),
            "run " + facts.run(),
            facts.workload() + " on " + facts.database(),
            text("%,d ", facts.scale().size()) + facts.scale().name(),
            text("%,d terminals", facts.terminals()));
    String title = " " + facts.product() + glyphs.dot() + rest;
    if (title.length() > columns) {
      title = " " + rest; // what is not the same for every run
    }
    add(title + " ".repeat(Math.max(0, columns - title.length())), TITLE);
    String progress = progress();
    AttributedStringBuilder line = new AttributedStringBuilder();
    AttributedStyle style = now.phase() == LiveFigures.LivePhase.MEASURING ? GOOD : BUSY;
    line.styled(style, text(" %-9s ", phase()));
    double share = share();
    int width = columns - 11 - progress.length() - 9;
    if (share >= 0 && width >= 10) {
      line.append(glyphs.bar(share, width)).append(text(" %3.0f %%  ", 100 * share));
    }
    add(line.append(progress));
  }

  private String phase() {
    return switch (now.phase()) {
      case STARTING -> "starting";
      case RAMP_UP -> "ramp-up";
      case MEASURING -> "measuring";
      case ENDING -> "ending";
    };
  }

  /** 0 .. 1 of the whole; below 0 if that is not known. */
  private double share() {
    if (facts.transactions() > 0) {
      return Math.min(1, (double) now.transactions() / facts.transactions());
    }
    long total = facts.length().orElse(Duration.ZERO).plus(facts.rampUp()).toMillis();
    return now.timeLeft().isEmpty() || total == 0
        ? -1
        : 1 - (double) now.timeLeft().get().toMillis() / total;
  }

  private String progress() {
    String since = StatusLine.clock(now.sinceStart());
    if (facts.transactions() > 0) {
      return text("%s  %,d of %,d", since, now.transactions(), facts.transactions());
    }
    return since
        + now.timeLeft().map(left -> "  left " + StatusLine.clock(left.plusMillis(999))).orElse("");
  }

  private void addRates() {
    add("", PLAIN);
    List<MetricRule> rates = facts.rates();
    for (int i = 0; i < rates.size(); i++) {
      MetricRule rate = rates.get(i);
      AttributedStringBuilder line = new AttributedStringBuilder();
      line.styled(BOLD, text(" %-9s%10s", rate.name(), shown(rate, now.current())));
      line.append(text("  average %10s  ", shown(rate, state.measured().counts())));
      double[] history = run.lastOf(i, MOST_POINTS);
      add(line.styled(CURVE, glyphs.curve(history, columns - line.length() - 1)));
    }
    add("", PLAIN);
  }

  /** What counts by the minute needs no fractions. */
  private String shown(MetricRule metric, SuccessCounts counts) {
    double rate = counts.rate(metric, facts.types());
    return metric.periodSeconds() > 1 ? text("%,d", Math.round(rate)) : text("%,.1f", rate);
  }

  private void addTypes() {
    String period = now.phase() == LiveFigures.LivePhase.RAMP_UP ? "ramp-up" : "ms from due";
    add(
        text(" %-12s     count    /min     p50     p95     p99     max failed  retry", period),
        FAINT);
    for (TypeState type : state.types()) {
      AttributedStringBuilder line = new AttributedStringBuilder();
      line.append(
          text(
              " %-12s%10s %7s %7s %7s %7s %7s",
              type.name(),
              count(type.count(), 10),
              count(Math.round(type.perMinute()), 7),
              millis(type.totalMillis().p50()),
              millis(type.totalMillis().p95()),
              millis(type.totalMillis().p99()),
              millis(type.totalMillis().max())));
      line.styled(type.errors() > 0 ? BAD : PLAIN, text(" %6s", count(type.errors(), 6)));
      add(line.append(text(" %6s", count(type.retries(), 6))));
    }
    for (int missing = state.types().size(); missing < facts.types().size(); missing++) {
      add(" " + facts.types().get(missing).name(), FAINT);
    }
    add("", PLAIN);
  }

  private void addRest(int rows, List<String> log) {
    List<AttributedString> below = new ArrayList<>();
    below.add(
        label(
            "waits",
            text(
                "connections %,d in use, %,d idle, %,d waiting; mean wait %s ms",
                state.connections().inUse(),
                state.connections().idle(),
                state.connections().waitedFor(),
                millis(state.connections().waitMillis()))));
    below.add(
        label(
            "driver",
            text(
                "%.2f of %d processors, GC %.1f %%, heap %,d MB",
                state.client().cores(),
                state.client().coresAvailable(),
                100 * state.client().gcShare(),
                state.client().heapUsedBytes() / BYTES_PER_MEGABYTE)));
    if (!state.shards().isEmpty()) {
      below.add(label("shards", shards(state.shards())));
    }
    int space = rows - lines.size() - below.size() - 1;
    lines.addAll(below);
    List<String> errors =
        run.errors().stream().map(DashboardText::error).limit(Math.max(1, space / 2)).toList();
    for (String error : errors) {
      add(new AttributedStringBuilder().styled(BAD, " error   ").append(error));
    }
    int logSpace = Math.max(0, space - errors.size());
    for (String line : log.subList(Math.max(0, log.size() - logSpace), log.size())) {
      add(" " + line, FAINT);
    }
    while (lines.size() < rows - 1) {
      add("", PLAIN);
    }
    add(" Ctrl-C ends the run and shows its figures", FAINT);
  }

  private static AttributedString label(String name, String text) {
    return new AttributedStringBuilder()
        .styled(FAINT, text(" %-8s", name))
        .append(text)
        .toAttributedString();
  }

  private static String shards(List<ShardState> shards) {
    return shards.stream()
        .map(
            shard ->
                text(
                    "%s %.1f %% %s/min",
                    shard.name(), 100 * shard.share(), count(Math.round(shard.perMinute()), 8)))
        .collect(Collectors.joining("   "));
  }

  private static String error(ErrorState error) {
    return text(
        "%,d x %s%s in %s%s%s",
        error.count() + error.outside(),
        error.disposition(),
        error.sqlState().isEmpty() ? "" : " " + error.sqlState(),
        error.type(),
        error.retried() == 0 ? "" : text(", %,d tried again", error.retried()),
        error.example().isEmpty() ? "" : ": " + error.example());
  }

  /** With separators where there is space for them. */
  private static String count(long value, int width) {
    String separated = text("%,d", value);
    if (separated.length() <= width) {
      return separated;
    }
    String plain = Long.toString(value);
    return plain.length() <= width ? plain : text("%.1fM", value / 1e6);
  }

  /** Three digits are enough to read, six are the most. */
  private static String millis(@Nullable Double millis) {
    if (millis == null || millis.isNaN()) {
      return "-";
    }
    if (millis >= 1000) {
      return text("%.0f", millis);
    }
    return text(millis >= 100 ? "%.1f" : millis >= 10 ? "%.2f" : "%.3f", millis);
  }

  private void add(String text, AttributedStyle style) {
    add(new AttributedStringBuilder().styled(style, text));
  }

  private void add(AttributedStringBuilder line) {
    lines.add(line.toAttributedString());
  }

  /** What does not fit is cut: a line that wraps would push the others off the screen. */
  private List<AttributedString> filled(int rows) {
    List<AttributedString> filled = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      filled.add(
          row < lines.size()
              ? lines.get(row).columnSubSequence(0, columns)
              : AttributedString.EMPTY);
    }
    return filled;
  }
}
