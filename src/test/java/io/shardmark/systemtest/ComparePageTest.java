package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison in a real browser, looked at and used as a reader would. */
final class ComparePageTest {
  /** What is wrong with the page as it stands; empty if nothing is. */
  private static final String INSPECTION =
      """
      (() => {
        const found = [];
        const check = (what, holds) => { if (!holds) found.push(what); };
        const colours = %s;
        const figures = ["chart-throughput", "chart-ratio", "chart-percentiles", "chart-curves"]
          .map(id => document.getElementById(id));
        check("all charts are there", figures.every(f => f));
        const fails = [...document.querySelectorAll(".verdicts .fail strong")];
        check("flags are red", fails.some(e => e.textContent.endsWith("Scale")));
        figures.forEach(figure => {
          const chart = echarts.getInstanceByDom(figure.querySelector(".plot"));
          chart.getZr().flush();
          check(figure.id + " is drawn", colours(figure.querySelector("canvas")) > 5);
          check(figure.id + " has a colour for each line", chart.getOption().series.length >= 2);
          const table = figure.querySelector("details");
          table.open = true;
          table.dispatchEvent(new Event("toggle"));
          const text = () => figure.querySelector(".data").textContent;
          check(figure.id + " has a table", figure.querySelectorAll(".data td").length > 4);
          const before = text();
          const buttons = [...figure.querySelectorAll(".views button")];
          check(figure.id + " has views", buttons.length >= 2);
          const row = buttons[0].parentElement;
          row.querySelector("[aria-pressed=false]").click();
          check(figure.id + " changes its view", text() !== before);
          check(figure.id + " shows which", row.querySelectorAll("[aria-pressed=true]").length === 1);
          table.open = false;
        });
        const ratio = document.getElementById("chart-ratio");
        check("ratios have intervals", /\\(0\\.\\d+\\s–\\s0\\.\\d+\\)/.test(ratio.querySelector(".data").textContent));
        const tables = [...document.querySelectorAll("section > .scroll")];
        check("tables fit", window.innerWidth < 1280 || tables.every(t => t.scrollWidth <= t.clientWidth + 1));
        check("no overflow", document.documentElement.scrollWidth <= window.innerWidth);
        return found.join("; ");
      })()
      """
          .formatted(PageChecks.COLOURS);

  /** A text that is shown and never read as elements. */
  private static final String MARKUP = "</script><img src=x onerror=console.error(1)>&amp; ' \"";

  @TempDir private Path directory;

  @Test
  void aBrowserDrawsCurvesRatiosAndFlags() throws Exception {
    for (int terminals : List.of(20, 50, 100)) {
      for (int repetition = 0; repetition < 2; repetition++) {
        String name = "/t" + terminals + "-r" + repetition;
        makeRun(directory.resolve("sweep/one" + name), terminals, 50 + repetition, 30);
        makeRun(directory.resolve("sweep/sharded" + name), terminals, 30 + 2 * repetition, 45);
      }
    }
    Workspace workspace = new Workspace(directory);
    Path published = Workspace.root().resolve("results/published-klustron-2023");
    try (Browser browser = Browser.open()) {
      Finished made =
          workspace
              .run(
                  "compare", "--output", "c.html", "--title", MARKUP, "sweep", published.toString())
              .succeeded();
      assertThat(made.out()).contains("Wrote c.html", "Wrote c.md", "Wrote c.json");
      URI page = directory.resolve("c.html").toUri();
      for (int width : List.of(1280, 390)) {
        browser.open(page, width, 900, "light");
        for (String scheme : List.of("light", "dark")) {
          browser.media("", scheme);
          browser.afterFrames();
          assertThat(browser.evaluate(INSPECTION).asText()).as("at %d", width).isEmpty();
          assertThat(browser.evaluate("document.querySelector('h1').textContent").asText())
              .isEqualTo(MARKUP);
          assertThat(browser.evaluate(PageChecks.FAINT_TEXTS).asText()).isEmpty();
          assertThat(browser.evaluate(PageChecks.UNNAMED).asText()).isEmpty();
          assertThat(browser.complaints()).isEmpty();
          assertThat(browser.requests()).containsExactly(page.toString());
        }
      }
    }
  }

  /** Of many systems with long names most tables are wider than the paper, unless set smaller. */
  @Test
  void onPaperNoTableIsCutOff() throws Exception {
    List<String> command = new ArrayList<>(List.of("compare", "--output", "c.html"));
    for (int system = 0; system < 9; system++) {
      makeRun(directory.resolve("run" + system), 20, 20 + system, 30);
      command.add("a_system_with_a_long_name_" + system + "=run" + system);
    }
    try (Browser browser = Browser.open()) {
      new Workspace(directory).run(command.toArray(String[]::new)).succeeded();
      for (int width : List.of(1280, 390)) {
        browser.open(directory.resolve("c.html").toUri(), width, 900, "light");
        browser.onPaper();
        assertThat(browser.evaluate(PageChecks.CUT_TABLES).asText()).isEmpty();
        assertThat(browser.evaluate(PageChecks.LONE_HEADINGS).asText()).isEmpty();
      }
    }
  }

  @Test
  void aWrongArgumentEndsInOneLine() throws Exception {
    Finished finished = new Workspace(directory).run("compare", "nothing", "here");
    assertThat(finished.status()).isEqualTo(1);
    assertThat(finished.err().strip().lines()).hasSize(1);
    assertThat(finished.err()).contains("nothing: no such directory");
    assertThat(directory.resolve("compare.html")).doesNotExist();
  }

  /** A directory as BenchmarkSQL writes it: one minute, rates and latencies that vary a little. */
  private static void makeRun(Path run, int terminals, int perSecond, int latencyMillis)
      throws IOException {
    StringBuilder rows =
        new StringBuilder("run,elapsed,latency,dblatency,ttype,rbk,dskipped,error\n");
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < perSecond + second % 3; i++) {
        String type = i % 2 == 0 ? "NEW_ORDER" : "PAYMENT";
        int latency = latencyMillis + i % 17 + terminals / 10;
        String row = "1,%d,%d,%d,%s,0,0,0\n";
        rows.append(row.formatted(second * 1000 + 900, latency, latency, type));
      }
    }
    Path data = Files.createDirectories(run.resolve("data"));
    Files.writeString(data.resolve("result.csv"), rows.toString());
    Files.writeString(
        run.resolve("run.properties"),
        "db=postgres\nwarehouses=4\nrunMins=1\nterminals=" + terminals + "\n");
    Files.writeString(
        data.resolve("runInfo.csv"),
        """
        run,driver,driverVersion,db,sessionStart,runMins,loadWarehouses,runWarehouses,numSUTThreads,limitTxnsPerMin,thinkTimeMultiplier,keyingTimeMultiplier
        1,simple,5.0,postgres,2026-11-20 21:37:11.025,1,4,4,%d,0,1.0,1.0
        """
            .formatted(terminals));
  }
}
