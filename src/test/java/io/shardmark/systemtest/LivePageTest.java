package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run in a real browser, from the first transaction to the end. */
final class LivePageTest {
  private static final Pattern PAGE = Pattern.compile("Live page: (http://127\\.0\\.0\\.1:\\d+/) ");

  private static final Pattern TPMC = Pattern.compile("Measured tpmC \\(NewOrders\\) = ([0-9.]+)");

  /** The number in a large figure of the page. */
  private static final String FIGURE =
      "Number([...document.querySelectorAll('.figure')].find(f => f.textContent.startsWith('%s'))"
          + ".querySelector('dd').textContent.replace(/[^0-9.]/g, ''))";

  private static final String PLOTS_DRAWN =
      """
      [...document.querySelectorAll(".chart:not([hidden]) .plot")].filter(plot => {
        echarts.getInstanceByDom(plot).getZr().flush();
        return (%s)(plot.querySelector("canvas")) > 5;
      }).length
      """
          .formatted(PageChecks.COLOURS);

  @TempDir private Path directory;

  private DriverProcess start(Workspace workspace, Map<String, String> properties)
      throws Exception {
    properties.put("runTxnsPerTerminal", "0");
    properties.put("metricsPort", "0");
    workspace.properties(properties);
    return workspace.start("run", Workspace.PROPERTIES);
  }

  private static String page(DriverProcess run) throws Exception {
    run.awaitOutput("/metrics");
    Matcher page = PAGE.matcher(run.output());
    assertThat(page.find()).as(run.output()).isTrue();
    return page.group(1);
  }

  @Test
  void aBrowserFollowsARunToItsEnd() throws Exception {
    Workspace workspace = new Workspace(directory);
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("terminals", "4");
    properties.put("limitTxnsPerMin", "60000");
    properties.put("rampupMins", "0.05");
    properties.put("runMins", "10");
    try (Browser browser = Browser.open();
        DriverProcess run = start(workspace, properties)) {
      String page = page(run);
      browser.open(URI.create(page), 1280, 900, "light");
      await(browser, "document.getElementById('phase').textContent === 'measuring'");
      await(browser, "document.querySelectorAll('#types tbody tr').length === 6");
      double transactions = browser.evaluate(FIGURE.formatted("transactions")).asDouble();
      await(browser, FIGURE.formatted("transactions") + " > " + (transactions + 100));
      await(browser, FIGURE.formatted("tpmC now") + " > 0");
      await(
          browser,
          "echarts.getInstanceByDom(document.querySelector('#throughput .plot'))"
              + ".getOption().series[0].data.length >= 5");
      looksRight(browser, 1280, "light");
      looksRight(browser, 390, "light");
      looksRight(browser, 390, "dark");
      looksRight(browser, 1280, "dark");
      assertThat(browser.evaluate(PageChecks.FAINT_TEXTS).asText()).isEmpty();
      viewsCanBeChosen(browser);
      aPartCanBeLookedAt(browser);
      assertThat(browser.complaints()).isEmpty();

      run.signal("INT");
      await(browser, "document.getElementById('phase').textContent === 'over'");
      Finished finished = run.await();
      Matcher measured = TPMC.matcher(finished.out());
      assertThat(measured.find()).as(finished.out()).isTrue();
      double tpmC = Double.parseDouble(measured.group(1));
      assertThat(browser.evaluate(FIGURE.formatted("tpmC")).asDouble())
          .isCloseTo(tpmC, within(0.5 + tpmC / 1000));
      assertThat(browser.evaluate("document.getElementById('when').textContent").asText())
          .isEqualTo("interrupted");
      assertThat(browser.requests()).isNotEmpty().allMatch(url -> isOf(page, url));
      // The page asks on, for another run, and from the driver's end nobody answers; a question
      // that meets this end is cut off, wherever it is.
      assertThat(browser.complaints()).allMatch(complaint -> complaint.contains("net::ERR_"));
      portIsClosed(page);
    }
  }

  /** Waits until a condition holds; one that cannot be told yet does not. */
  private static void await(Browser browser, String condition) throws InterruptedException {
    browser.awaitTrue(
        "(() => { try { return %s; } catch (fault) { return false; } })()"
            .formatted(condition.strip()));
  }

  private static boolean isOf(String page, String url) {
    return url.startsWith(page) || url.startsWith("data:") || url.equals("about:blank");
  }

  private void looksRight(Browser browser, int width, String scheme) throws Exception {
    browser.resize(width, 900);
    browser.media("", scheme);
    await(browser, PLOTS_DRAWN.strip() + " === 4");
    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth").asBoolean())
        .as("fits a window of %d", width)
        .isTrue();
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    Files.write(pictures.resolve("live-" + width + "-" + scheme + ".png"), browser.screenshot());
  }

  private static void viewsCanBeChosen(Browser browser) throws Exception {
    browser.evaluate(
        "[...document.querySelectorAll('#latency button')].find(b => b.textContent ==="
            + " 'p99').click()");
    await(
        browser,
        "document.querySelector('#latency button[aria-pressed=true]').textContent === 'p99'");
    await(browser, PLOTS_DRAWN.strip() + " === 4");
  }

  /** All charts show the part that was dragged over in one, and its table has the figures. */
  private static void aPartCanBeLookedAt(Browser browser) throws Exception {
    String axis =
        "echarts.getInstanceByDom(document.querySelector('#%s .plot')).getOption().xAxis[0]";
    String shown = axis.formatted("failures") + ".max - " + axis.formatted("failures") + ".min";
    String all = axis.formatted("latency") + ".max - " + axis.formatted("latency") + ".min";
    JsonNode box =
        browser.evaluate(
            "(r => [r.left, r.top, r.width, r.height])(document.querySelector('#throughput .plot').getBoundingClientRect())");
    double y = box.get(1).asDouble() + box.get(3).asDouble() / 2;
    double left = box.get(0).asDouble();
    double width = box.get(2).asDouble();
    double whole = browser.evaluate(all).asDouble();
    browser.drag(left + 0.4 * width, y, left + 0.6 * width, y);
    double part = browser.evaluate(shown).asDouble();
    browser.doubleClick(left + 0.5 * width, y);
    await(browser, all + " >= " + whole);
    // The run goes on, so the whole is longer now, and was when the drag ended.
    assertThat(part).isBetween(0.1 * whole, 0.7 * browser.evaluate(all).asDouble());
    browser.evaluate("document.querySelector('#throughput details').open = true");
    await(browser, "document.querySelectorAll('#throughput .data tbody tr').length >= 5");
  }

  private static void portIsClosed(String page) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(page)).build();
    try {
      HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      throw new AssertionError(page + " still answers");
    } catch (ConnectException e) {
      assertThat(e).as("nobody listens any more").isNotNull();
    }
  }

  /** Killed, it cannot say goodbye: the page says that it hears nothing. */
  @Test
  void aBrowserTellsThatTheDriverIsGone() throws Exception {
    Workspace workspace = new Workspace(directory);
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("runMins", "10");
    properties.put("limitTxnsPerMin", "60000");
    try (Browser browser = Browser.open();
        DriverProcess run = start(workspace, properties)) {
      browser.open(URI.create(page(run)), 1280, 900, "light");
      await(browser, "document.getElementById('phase').textContent === 'measuring'");
      run.signal("KILL");
      await(browser, "document.getElementById('phase').textContent === 'connection lost'");
      assertThat(browser.evaluate("document.getElementById('notice').hidden").asBoolean())
          .isFalse();
    }
  }

  @Test
  void endsOnATakenPortAndRefusesAllButReaders() throws Exception {
    Workspace workspace = new Workspace(directory);
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("runMins", "10");
    properties.put("limitTxnsPerMin", "6000");
    try (DriverProcess first = start(workspace, properties)) {
      URI page = URI.create(page(first));
      othersThanReadersAreRefused(page);
      String port = Integer.toString(page.getPort());
      workspace
          .run("run", Workspace.PROPERTIES, "metricsPort", port, "resultDirectory", "second")
          .failedWithOneLine(
              1, "command line: metricsPort=" + port + ": cannot listen on 127.0.0.1");
      assertThat(directory.resolve("second")).doesNotExist();
      first.signal("INT");
      assertThat(first.await().out()).contains("Measured tpmC");
    }
  }

  private static void othersThanReadersAreRefused(URI page) throws IOException {
    assertThat(status(page, "GET / HTTP/1.1", "Host: evil.example")).contains(" 421 ");
    assertThat(status(page, "POST / HTTP/1.1", "Host: localhost")).contains(" 405 ");
    assertThat(status(page, "GET /nothing HTTP/1.1", "Host: localhost")).contains(" 404 ");
    assertThat(status(page, "GET /../../etc/passwd HTTP/1.1", "Host: localhost")).contains(" 404 ");
    assertThat(status(page, "GET /api/live?from=-1&width=x HTTP/1.1", "Host: 127.0.0.1:1"))
        .contains(" 200 ");
    assertThat(status(page, "HEAD /metrics HTTP/1.1", "Host: [::1]:80")).contains(" 200 ");
  }

  /** The first line of the answer. */
  private static String status(URI page, String... lines) throws IOException {
    try (Socket socket = new Socket(page.getHost(), page.getPort())) {
      String request = String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      return answer.readLine() + " ";
    }
  }
}
