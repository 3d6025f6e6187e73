package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report of a run in a real browser, looked at and used as a reader would. */
final class ReportPageTest {
  /** What is wrong with the page as it stands; empty if nothing is. */
  private static final String INSPECTION =
      """
      (async () => {
        const colours = %s;
        const found = [];
        const check = (what, holds) => { if (!holds) found.push(what); };
        const figures = [...document.querySelectorAll("[data-chart]")];
        check("charts", figures.length >= 6);
        figures.forEach(figure => {
          const plot = figure.querySelector(".plot");
          echarts.getInstanceByDom(plot).getZr().flush();
          check(figure.id + " is drawn", colours(figure.querySelector("canvas")) > 5);
          check(figure.id + " is described", plot.getAttribute("aria-label").length > 60);
          figure.querySelector("details").open = true;
          const background = getComputedStyle(document.documentElement).getPropertyValue("--page").trim();
          check(figure.id + " has the page's colours",
            echarts.getInstanceByDom(plot).getOption().tooltip[0].backgroundColor === background);
        });
        // Their toggle events come after this.
        await new Promise(r => requestAnimationFrame(() => setTimeout(r)));
        figures.forEach(figure => {
          check(figure.id + " has a table", figure.querySelectorAll(".data td").length > 1);
        });
        check("no overflow", document.documentElement.scrollWidth <= window.innerWidth);
        const links = [...document.querySelectorAll("nav a")];
        check("few links", links.length >= 5 && links.length <= 8);
        check("links lead to sections", links.every(a => document.querySelector("section" + a.hash)));
        const named = text => links.some(a => a.textContent === text);
        check("links to what is open and to more", named("Throughput") && named("More"));
        check("small lines", document.querySelectorAll(".curves polyline").length >= 2);
        check("figures", document.querySelectorAll(".figures dt").length >= 5);
        check("verdicts have marks", document.querySelectorAll(".verdicts .pass .mark").length >= 1);
        check("bars", [...document.querySelectorAll(".meter > span > span")].every(bar => bar.style.width.endsWith("%%")));
        check("a title", document.title.includes("tpcc") || document.title.includes("TPC"));
        return found.join("; ");
      })()
      """
          .formatted(PageChecks.COLOURS);

  private static final String ZOOM =
      "echarts.getInstanceByDom(document.querySelector('#%s .plot')).getOption()?.dataZoom[0]";

  @TempDir private static Path directory;

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static Browser browser;

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static URI page;

  @BeforeAll
  static void runAndOpenTheBrowser() throws Exception {
    browser = Browser.open();
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "0.05"); // 3 s
    properties.put("limitTxnsPerMin", "30000");
    Workspace workspace = new Workspace(directory).properties(properties);
    workspace.run("run", Workspace.PROPERTIES).succeeded();
    Path file = directory.resolve("result/report.html");
    assertThat(file).as("the page that each run writes").isRegularFile();
    page = file.toUri();
  }

  @AfterAll
  static void closeTheTab() {
    if (browser != null) {
      browser.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1280, 768, 390})
  void eachChartIsDrawnOnDesksAndPhones(int width) throws Exception {
    browser.open(page, width, 900, "light");
    looksRight();
    browser.media("", "dark");
    looksRight();
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests()).containsExactly(page.toString());
  }

  private static void looksRight() throws Exception {
    browser.evaluate("document.querySelectorAll('.fold').forEach(fold => { fold.open = true; })");
    browser.awaitTrue(
        "[...document.querySelectorAll('.fold .plot')].every(plot => echarts.getInstanceByDom(plot).getOption())");
    browser.afterFrames();
    assertThat(browser.evaluate(INSPECTION).asText()).isEmpty();
    assertThat(browser.evaluate(PageChecks.FAINT_TEXTS).asText()).isEmpty();
    assertThat(browser.evaluate(PageChecks.UNNAMED).asText()).isEmpty();
  }

  /** A place in a chart, in pixels of the window; the chart is scrolled into view. */
  private static JsonNode place(String chart, String point) throws Exception {
    String element = "document.querySelector('#" + chart + " .plot')";
    browser.evaluate(element + ".scrollIntoView({block: 'center', behavior: 'instant'})");
    browser.afterFrames();
    return browser.evaluate(
        "(() => { const plot = %s; const chart = echarts.getInstanceByDom(plot); const box = plot.getBoundingClientRect();"
                .formatted(element)
            + " const at = %s; return [box.left + at[0], box.top + at[1]]; })()".formatted(point));
  }

  private static JsonNode zoom(String chart) throws Exception {
    return browser.evaluate("(z => [z.start, z.end])(%s)".formatted(ZOOM.formatted(chart)));
  }

  /** Shares of the plot's own area, which is right of and above the axes, in percent. */
  private static JsonNode placeInPlot(String chart, int percentX, int percentY) throws Exception {
    return place(
        chart,
        "(r => [r.x + r.width * %d / 100, r.y + r.height * %d / 100])(chart.getModel().getComponent('grid').coordinateSystem.getRect())"
            .formatted(percentX, percentY));
  }

  private static void assertZoom(String chart, double start, double end) throws Exception {
    browser.awaitTrue(
        "(z => !!z && Math.abs(z.start - %s) <= 1 && Math.abs(z.end - %s) <= 1)(%s)"
            .formatted(start, end, ZOOM.formatted(chart)));
  }

  private static boolean isResetOffered(String chart) throws Exception {
    return !browser
        .evaluate("document.querySelector('#%s .whole').hidden".formatted(chart))
        .asBoolean();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 2})
  void draggingOverAPlotZoomsAllChartsOverTimeAndADoubleClickResets(double scale) throws Exception {
    browser.open(page, 1280, 900, "light");
    browser.resize(1280, 900, scale);
    JsonNode from = placeInPlot("chart-latency", 20, 70);
    JsonNode to = placeInPlot("chart-latency", 60, 30);
    // Leftwards as well as rightwards.
    browser.drag(
        to.get(0).asDouble(), to.get(1).asDouble(), from.get(0).asDouble(), from.get(1).asDouble());
    assertZoom("chart-latency", 20, 60);
    assertZoom("chart-throughput", 20, 60);
    assertZoom("chart-curve", 0, 100);
    assertThat(isResetOffered("chart-throughput")).isTrue();
    // A second time within what is shown.
    browser.drag(
        from.get(0).asDouble(), from.get(1).asDouble(), to.get(0).asDouble(), to.get(1).asDouble());
    assertZoom("chart-latency", 28, 44);
    browser.doubleClick(to.get(0).asDouble(), to.get(1).asDouble());
    assertZoom("chart-latency", 0, 100);
    assertZoom("chart-throughput", 0, 100);
    assertThat(isResetOffered("chart-throughput")).isFalse();
    assertThat(browser.complaints()).isEmpty();
  }

  /** Where a handle of the slider is: 0 the left one, 1 the right one. */
  private static JsonNode handle(String chart, int index) throws Exception {
    return place(
        chart,
        """
        (handle => {
          const box = handle.getBoundingRect().clone();
          box.applyTransform(handle.getComputedTransform());
          return [box.x + box.width / 2, box.y + box.height / 2];
        })(chart.getZr().storage.getDisplayList(true).filter(e => e.draggable && e.z2 === 5)[%d])
        """
            .formatted(index));
  }

  @Test
  void theHandlesOfTheSliderGoWhereTheyAreDragged() throws Exception {
    browser.open(page, 1280, 900, "light");
    JsonNode from = handle("chart-throughput", 0);
    JsonNode end = handle("chart-throughput", 1);
    double width = end.get(0).asDouble() - from.get(0).asDouble();
    double x = from.get(0).asDouble();
    double y = from.get(1).asDouble();
    browser.drag(x + 9, y, x + 9 + 0.4 * width, y + 5);
    assertZoom("chart-latency", 40, 100);
    assertZoom("chart-throughput", 40, 100);
    browser.drag(x + width, y, x + 0.7 * width, y);
    assertZoom("chart-latency", 40, 70);
    // What was folded meanwhile shows the same span.
    browser.evaluate("document.querySelector('nav a[href=\"#client\"]').click()");
    browser.awaitTrue("document.querySelector('#client > .fold').open");
    assertZoom("chart-client-cpu", 40, 70);
  }

  @Test
  void aFingerMovesTheHandlesAndElsewhereThePage() throws Exception {
    browser.open(page, 390, 844, "light");
    JsonNode from = handle("chart-throughput", 0);
    double width = handle("chart-throughput", 1).get(0).asDouble() - from.get(0).asDouble();
    double x = from.get(0).asDouble();
    double y = from.get(1).asDouble();
    browser.swipe(x + 8, y + 8, x + 8 + 0.5 * width, y + 8);
    assertZoom("chart-latency", 50, 100);
    JsonNode over = placeInPlot("chart-latency", 50, 50);
    double scrolled = browser.evaluate("scrollY").asDouble();
    browser.swipe(
        over.get(0).asDouble(),
        over.get(1).asDouble(),
        over.get(0).asDouble(),
        over.get(1).asDouble() - 200);
    browser.awaitTrue("scrollY > " + (scrolled + 50));
    assertZoom("chart-latency", 50, 100);
    browser.evaluate("document.querySelector('#chart-latency .whole').click()");
    assertZoom("chart-throughput", 0, 100);
  }

  @Test
  void valuesStandUnderThePointer() throws Exception {
    browser.open(page, 1280, 900, "light");
    JsonNode data =
        browser.evaluate(
            "JSON.parse(document.getElementById('page').textContent).sections.flatMap(s => s.blocks)"
                + ".find(block => block.id === 'chart-throughput').spec.views[0].series");
    assertThat(data.at("/1/name").asText()).isEqualTo("tpmC");
    String shown =
        browser
            .evaluate("(%d).toLocaleString('en-US')".formatted(data.at("/1/values/2").asLong()))
            .asText();
    JsonNode at = place("chart-throughput", "chart.convertToPixel({gridIndex: 0}, [2, 0])");
    browser.moveMouse(at.get(0).asDouble() + 1, at.get(1).asDouble() - 40);
    String tip = "[...document.querySelectorAll('#chart-throughput .plot > div')].pop().innerText";
    browser.awaitTrue(tip + ".includes('tpmC')");
    assertThat(browser.evaluate(tip).asText()).contains("0:02", shown, "per minute");
  }

  @Test
  void theKeyboardZoomsAndOpensTables() throws Exception {
    browser.open(page, 1280, 900, "light");
    browser.evaluate(
        "document.querySelector('#chart-throughput .views button:last-child').focus()");
    browser.key("Tab", 9, "");
    String active = "document.activeElement";
    assertThat(browser.evaluate(active + ".className").asText()).startsWith("plot");
    assertThat(browser.evaluate("getComputedStyle(" + active + ").outlineStyle").asText())
        .as("readers see where they are")
        .isEqualTo("solid");
    browser.key("+", 187, "+");
    assertThat(zoom("chart-throughput").get(0).asDouble()).isEqualTo(25);
    browser.key("0", 48, "0");
    assertThat(zoom("chart-throughput").get(0).asDouble()).isZero();
    browser.key("Tab", 9, "");
    assertThat(browser.evaluate(active + ".getAttribute('aria-label')").asText())
        .isEqualTo("Table of Transactions per minute");
    browser.key("Enter", 13, "\r");
    browser.awaitTrue("document.querySelectorAll('#chart-throughput .data tbody tr').length === 3");
    browser.key("Enter", 13, "\r");
    browser.awaitTrue("!document.querySelector('#chart-throughput details').open");
  }

  @Test
  void aViewIsChosenByAClick() throws Exception {
    browser.open(page, 390, 844, "light");
    String button = "document.querySelector('#chart-latency .views button:last-child')";
    browser.evaluate(button + ".scrollIntoView({block: 'center', behavior: 'instant'})");
    JsonNode box =
        browser.evaluate("(r => [r.left + 5, r.top + 5])(" + button + ".getBoundingClientRect())");
    browser.click(box.get(0).asDouble(), box.get(1).asDouble());
    assertThat(browser.evaluate(button + ".getAttribute('aria-pressed')").asText())
        .isEqualTo("true");
  }

  @Test
  void onPaperItIsBlackOnWhiteAndNothingIsCut() throws Exception {
    browser.open(page, 1280, 900, "dark");
    byte[] pdf = browser.print();
    assertThat(new String(pdf, StandardCharsets.ISO_8859_1)).startsWith("%PDF").contains("/Page");
    browser.onPaper();
    assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor").asText())
        .isEqualTo("rgb(255, 255, 255)");
    assertThat(browser.evaluate(PageChecks.FAINT_TEXTS).asText()).isEmpty();
    assertThat(browser.evaluate(PageChecks.CUT_TABLES).asText()).isEmpty();
    browser.evaluate("document.querySelectorAll('.fold').forEach(fold => fold.open = true)");
    assertThat(browser.evaluate(PageChecks.LONE_HEADINGS).asText()).isEmpty();
  }
}
