package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The comparison in a real browser, which is moved by a script at the end of a copy of the page. It
 * leaves its findings in an element, which the browser prints with the rest of the page.
 */
final class ComparePageTest {
  private static final String INSPECTION =
      """
      <script>
      const found = [];
      const check = (what, holds) => { if (!holds) found.push(what); };
      const pixels = canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      const colours = canvas => {
        const data = pixels(canvas), seen = new Set();
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3]) seen.add(data[i] + "," + data[i + 1] + "," + data[i + 2]);
        }
        return seen;
      };
      const figures = ["chart-throughput", "chart-ratio", "chart-percentiles", "chart-curves"]
        .map(id => document.getElementById(id));
      check("all charts are there", figures.every(f => f));
      check("no request", performance.getEntriesByType("resource").length === 0);
      check("flags are red", [...document.querySelectorAll(".verdicts .fail strong")].some(e => e.textContent === "Scale"));
      figures.forEach(figure => {
        const chart = echarts.getInstanceByDom(figure.querySelector(".plot"));
        chart.getZr().flush();
        check(figure.id + " is drawn", colours(figure.querySelector("canvas")).size > 5);
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
        chart.dispatchAction({ type: "dataZoom", start: 20, end: 60 });
        check(figure.id + " zooms", chart.getOption().dataZoom[0].end === 60);
        chart.dispatchAction({ type: "restore" });
        table.open = false;
      });
      const ratio = document.getElementById("chart-ratio");
      check("ratios have intervals", /\\(0\\.\\d+ – 0\\.\\d+\\)/.test(ratio.querySelector(".data").textContent));
      setTimeout(() => {
        check("no overflow", document.documentElement.scrollWidth <= window.innerWidth);
        const result = document.createElement("p");
        result.id = "inspection";
        result.textContent = found.length ? "failed: " + found.join("; ") : "all well";
        document.body.append(result);
      }, 1000);
      </script>
      """;

  @TempDir private Path directory;

  @Test
  void aBrowserDrawsCurvesRatiosAndFlags() throws Exception {
    Optional<Path> browser =
        Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(browser.isPresent(), "no Chromium is installed");
    for (int terminals : List.of(20, 50, 100)) {
      for (int repetition = 0; repetition < 2; repetition++) {
        String name = "/t" + terminals + "-r" + repetition;
        makeRun(directory.resolve("sweep/one" + name), terminals, 50 + repetition, 30);
        makeRun(directory.resolve("sweep/sharded" + name), terminals, 30 + 2 * repetition, 45);
      }
    }
    Workspace workspace = new Workspace(directory);
    Path published = Workspace.root().resolve("results/published-klustron-2023");
    Finished made =
        workspace.run("compare", "--output", "c.html", "sweep", published.toString()).succeeded();
    assertThat(made.out()).contains("Wrote c.html", "Wrote c.md", "Wrote c.json");
    Path copy = directory.resolve("inspected.html");
    String text = Files.readString(directory.resolve("c.html"));
    // The last one: strings of the chart library hold others.
    int end = text.lastIndexOf("</body>");
    Files.writeString(copy, text.substring(0, end) + INSPECTION + text.substring(end));

    for (String size : List.of("1280,2000", "500,2000")) {
      Finished finished = open(workspace, browser.get(), copy, size);
      assertThat(finding(finished.out())).as("findings at %s", size).isEqualTo("all well");
      assertThat(finished.err()).as("messages of the page").doesNotContain("CONSOLE");
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

  private static String finding(String dom) {
    String mark = "<p id=\"inspection\">";
    int start = dom.lastIndexOf(mark);
    return start < 0
        ? "the inspection did not end"
        : dom.substring(start + mark.length(), dom.indexOf("</p>", start));
  }

  private Finished open(Workspace workspace, Path browser, Path page, String size)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            browser.toString(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--v=0",
            "--user-data-dir=" + directory.resolve("browser"),
            "--window-size=" + size,
            "--virtual-time-budget=10000",
            "--dump-dom",
            page.toUri().toString());
    try (DriverProcess process = workspace.startCommand(command, Map.of())) {
      return process.await().succeeded();
    }
  }
}
