package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The report of a run in a real browser, looked at and used as a reader would. */
final class ReportPageTest {
  /** What is wrong with the page as it stands; empty if nothing is. */
  private static final String INSPECTION =
      """
      (async () => {
        const found = [];
        const check = (what, holds) => { if (!holds) found.push(what); };
        const figures = [...document.querySelectorAll("[data-chart]")];
        check("charts", figures.length >= 8);
        figures.forEach(figure => {
          const plot = figure.querySelector(".plot");
          echarts.getInstanceByDom(plot).getZr().flush();
          const canvas = figure.querySelector("canvas");
          const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          const colours = new Set();
          for (let i = 0; i < pixels.length; i += 4) {
            if (pixels[i + 3]) colours.add(pixels[i] + "," + pixels[i + 1] + "," + pixels[i + 2]);
          }
          check(figure.id + " is drawn", colours.size > 5);
          check(figure.id + " is described", plot.getAttribute("aria-label").length > 60);
          figure.querySelector("details").open = true;
        });
        await new Promise(r => setTimeout(r, 300));
        figures.forEach(figure => {
          check(figure.id + " has a table", figure.querySelectorAll(".data td").length > 1);
        });
        check("no overflow", document.documentElement.scrollWidth <= window.innerWidth);
        return found.join("; ");
      })()
      """;

  /** Texts whose contrast is below 4.5 (WCAG 2.2, 1.4.3 AA). */
  private static final String FAINT_TEXTS =
      """
      (() => {
        const numbers = text => text.match(/[\\d.]+/g).map(Number);
        const luminance = rgb => rgb.slice(0, 3).map(c => c / 255)
          .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const background = element => {
          for (let e = element; e; e = e.parentElement) {
            const colour = numbers(getComputedStyle(e).backgroundColor);
            if (colour.length < 4 || colour[3] > 0) return colour;
          }
          return [255, 255, 255];
        };
        const found = new Set();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const element = node.parentElement;
          if (!node.data.trim() || !element.checkVisibility() || element.closest("script")) continue;
          const [a, b] = [luminance(numbers(getComputedStyle(element).color)), luminance(background(element))];
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (contrast < 4.5) found.add(element.tagName + "." + element.className + " " + contrast.toFixed(2));
        }
        return [...found].join("; ");
      })()
      """;

  @TempDir private static Path directory;

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static Browser browser;

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static URI page;

  @BeforeAll
  static void runAndOpenTheBrowser() throws Exception {
    Optional<Path> program = Browser.program();
    assumeTrue(program.isPresent(), "no Chromium is installed");
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "0.1");
    properties.put("limitTxnsPerMin", "30000");
    Workspace workspace = new Workspace(directory).properties(properties);
    workspace.run("run", Workspace.PROPERTIES).succeeded();
    Path file = directory.resolve("result/report.html");
    assertThat(file).as("the page that each run writes").isRegularFile();
    page = file.toUri();
    browser = Browser.start(program.get(), directory);
  }

  @AfterAll
  static void closeTheBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "768, light", "390, light", "390, dark"})
  void eachChartIsDrawnOnDesksAndPhones(int width, String scheme) throws Exception {
    browser.open(page, width, 900, scheme);
    assertThat(browser.evaluate(INSPECTION).asText()).isEmpty();
    assertThat(browser.evaluate(FAINT_TEXTS).asText()).isEmpty();
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests()).containsExactly(page.toString());
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

  private static double zoomStart(String chart) throws Exception {
    return browser
        .evaluate(
            "echarts.getInstanceByDom(document.querySelector('#%s .plot')).getOption().dataZoom[0].start"
                .formatted(chart))
        .asDouble();
  }

  @Test
  void valuesStandUnderThePointer() throws Exception {
    browser.open(page, 1280, 900, "light");
    JsonNode data =
        browser.evaluate(
            "JSON.parse(document.querySelector('#chart-throughput"
                + " script').textContent).views[0].series");
    assertThat(data.at("/1/name").asText()).isEqualTo("tpmC");
    String shown =
        browser
            .evaluate("(%d).toLocaleString('en-US')".formatted(data.at("/1/values/3").asLong()))
            .asText();
    JsonNode at = place("chart-throughput", "chart.convertToPixel({gridIndex: 0}, [3, 0])");
    browser.moveMouse(at.get(0).asDouble() + 1, at.get(1).asDouble() - 40);
    String tip = "[...document.querySelectorAll('#chart-throughput .plot > div')].pop().innerText";
    browser.awaitTrue(tip + ".includes('tpmC')");
    assertThat(browser.evaluate(tip).asText()).contains("0:03", shown, "per minute");
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
    assertThat(zoomStart("chart-throughput")).isEqualTo(25);
    browser.key("0", 48, "0");
    assertThat(zoomStart("chart-throughput")).isZero();
    browser.key("Tab", 9, "");
    assertThat(browser.evaluate(active + ".getAttribute('aria-label')").asText())
        .isEqualTo("Table of Transactions per minute");
    browser.key("Enter", 13, "\r");
    browser.awaitTrue("document.querySelectorAll('#chart-throughput .data tbody tr').length === 6");
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
    browser.resize(718, 1000); // A4 less its margins
    browser.media("print", "dark");
    assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor").asText())
        .isEqualTo("rgb(255, 255, 255)");
    assertThat(browser.evaluate(FAINT_TEXTS).asText()).isEmpty();
    assertThat(
            browser
                .evaluate(
                    "[...document.querySelectorAll('table')].filter(t =>"
                        + " t.getBoundingClientRect().right > innerWidth).length")
                .asInt())
        .as("tables that are wider than the paper")
        .isZero();
  }
}
