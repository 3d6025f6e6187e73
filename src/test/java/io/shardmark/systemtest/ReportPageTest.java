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
 * The report of a run in a real browser. A script at the end of a copy of the page looks at it from
 * inside and leaves its findings in an element, which the browser prints with the rest of the page.
 */
final class ReportPageTest {
  private static final String INSPECTION =
      """
      <script>
      const found = [];
      const check = (what, holds) => { if (!holds) found.push(what); };
      const figures = [...document.querySelectorAll("[data-chart]")];
      check("charts", figures.length >= 5);
      check("no request", performance.getEntriesByType("resource").length === 0);
      figures.forEach(figure => {
        const chart = echarts.getInstanceByDom(figure.querySelector(".plot"));
        chart.getZr().flush();
        const canvas = figure.querySelector("canvas");
        const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        const colours = new Set();
        for (let i = 0; i < pixels.length; i += 4) {
          if (pixels[i + 3]) colours.add(pixels[i] + "," + pixels[i + 1] + "," + pixels[i + 2]);
        }
        check(figure.id + " is drawn", colours.size > 5);
        chart.dispatchAction({ type: "dataZoom", start: 20, end: 60 });
        check(figure.id + " zooms", chart.getOption().dataZoom[0].end === 60);
        figure.querySelector("details").open = true;
      });
      setTimeout(() => {
        figures.forEach(figure => {
          check(figure.id + " has a table", figure.querySelectorAll(".data td").length > 1);
        });
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
  void aBrowserDrawsEachChartOnDesksAndPhones() throws Exception {
    Optional<Path> browser =
        Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(browser.isPresent(), "no Chromium is installed");
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    Workspace workspace = new Workspace(directory).properties(properties);
    workspace.run(Workspace.PROPERTIES).succeeded();
    Path page = directory.resolve("result/report.html");
    assertThat(page).as("the page that each run writes").isRegularFile();
    Path copy = directory.resolve("inspected.html");
    String text = Files.readString(page);
    // The last one: strings of the chart library hold others.
    int end = text.lastIndexOf("</body>");
    Files.writeString(copy, text.substring(0, end) + INSPECTION + text.substring(end));

    for (String size : List.of("1280,2000", "500,2000")) {
      Finished finished = open(workspace, browser.get(), copy, size);
      assertThat(finding(finished.out())).as("findings at %s", size).isEqualTo("all well");
      assertThat(finished.err()).as("messages of the page").doesNotContain("CONSOLE");
    }
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
