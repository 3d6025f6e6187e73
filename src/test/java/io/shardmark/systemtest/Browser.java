package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A tab of a headless Chromium, moved as a person would move it: mouse, fingers and keys come
 * through its DevTools protocol. There is one Chromium for all tests of this JVM, which it ends
 * with. One page at a time; a tab is used by one thread.
 */
final class Browser implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(240);
  private static final int DRAG_STEPS = 8;

  private final String id;
  private final WebSocket socket;
  private final Messages messages;
  private int lastId;

  private Browser(String id, WebSocket socket, Messages messages) {
    this.id = id;
    this.socket = socket;
    this.messages = messages;
  }

  /** The program while it runs. */
  private static final class Chromium {
    static final Chromium INSTANCE = start();

    final HttpClient client = HttpClient.newHttpClient();
    final String address;

    private Chromium(String address) {
      this.address = address;
    }

    private static Chromium start() {
      try {
        Path directory = Files.createTempDirectory("browser");
        List<String> command =
            List.of(
                program().orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--user-data-dir=" + directory,
                "--remote-debugging-port=0",
                "about:blank");
        DriverProcess process = new Workspace(directory).startCommand(command, Map.of());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process, directory)));
        // The path behind the address, so that the address is whole.
        process.awaitError("/devtools/browser/");
        String announced = process.error();
        String from = announced.substring(announced.indexOf("ws://") + "ws://".length());
        return new Chromium(from.substring(0, from.indexOf('/')));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    /** Its profile goes too, if it is still not writing there. */
    private static void end(DriverProcess process, Path directory) {
      try {
        process.signal("TERM");
        process.await(10);
        try (Stream<Path> files = Files.walk(directory)) {
          files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        process.close();
      }
    }

    JsonNode ask(String command) throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + address + "/json/" + command))
              .PUT(HttpRequest.BodyPublishers.noBody())
              .build();
      return MAPPER.readTree(client.send(request, BodyHandlers.ofString()).body());
    }
  }

  /** The program, if there is one. */
  private static Optional<Path> program() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** A new tab; a test that needs one is skipped where there is no Chromium. */
  static Browser open() throws IOException, InterruptedException {
    assumeTrue(program().isPresent(), "no Chromium is installed");
    JsonNode page = Chromium.INSTANCE.ask("new");
    Messages messages = new Messages();
    WebSocket socket =
        Chromium.INSTANCE
            .client
            .newWebSocketBuilder()
            .buildAsync(URI.create(page.path("webSocketDebuggerUrl").asText()), messages)
            .join();
    Browser tab = new Browser(page.path("id").asText(), socket, messages);
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      tab.call(domain + ".enable", Map.of());
    }
    // Else a tab in the background draws nothing.
    tab.call("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
    tab.call("Page.setLifecycleEventsEnabled", Map.of("enabled", true));
    return tab;
  }

  /** Sends one command and waits for its answer. */
  JsonNode call(String method, Map<String, ?> parameters) throws InterruptedException {
    lastId++;
    ObjectNode command = MAPPER.createObjectNode().put("id", lastId).put("method", method);
    command.set("params", MAPPER.valueToTree(parameters));
    socket.sendText(command.toString(), true).join();
    JsonNode answer = messages.await(message -> message.path("id").asInt() == lastId, method);
    assertThat(answer.path("error").toString()).as(method).isEmpty();
    return answer.path("result");
  }

  /**
   * Opens a page and waits until it is loaded.
   *
   * @param scheme light or dark
   */
  void open(URI page, int width, int height, String scheme) throws InterruptedException {
    media("", scheme);
    resize(width, height);
    messages.forget();
    JsonNode loader = call("Page.navigate", Map.of("url", page.toString())).path("loaderId");
    // Of this loading: that of the empty page in a new tab may be told only now.
    messages.await(
        message ->
            message.path("method").asText().equals("Page.lifecycleEvent")
                && message.at("/params/name").asText().equals("load")
                && message.at("/params/loaderId").equals(loader),
        "loading");
    afterFrames();
  }

  void resize(int width, int height) throws InterruptedException {
    resize(width, height, 1);
  }

  /**
   * A window of its own for the page; narrow ones are a phone's, with fingers.
   *
   * @param scale pixels of the screen in each of the page
   */
  void resize(int width, int height, double scale) throws InterruptedException {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width", width, "height", height, "deviceScaleFactor", scale, "mobile", width < 700));
    call("Emulation.setTouchEmulationEnabled", Map.of("enabled", width < 700));
  }

  /**
   * @param type print, or empty for the screen
   */
  void media(String type, String scheme) throws InterruptedException {
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            type,
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", scheme),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  /** The page as it is laid out between the margins of A4. */
  void onPaper() throws InterruptedException {
    resize(703, 1000);
    media("print", "dark");
    evaluate("window.dispatchEvent(new Event('beforeprint'))");
    afterFrames();
  }

  /** Value of an expression, a promise awaited. */
  JsonNode evaluate(String expression) throws InterruptedException {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    assertThat(result.path("exceptionDetails").toString()).as(expression).isEmpty();
    return result.path("result").path("value");
  }

  /** Waits until the page has drawn what was asked of it. */
  void afterFrames() throws InterruptedException {
    evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))");
  }

  /** Waits until an expression is true. */
  void awaitTrue(String expression) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!evaluate("!!(" + expression + ")").asBoolean()) {
      assertThat(System.nanoTime()).as("still not: %s", expression).isLessThan(deadline);
      afterFrames();
    }
  }

  void moveMouse(double x, double y) throws InterruptedException {
    mouse("mouseMoved", x, y, 0, 0);
  }

  void click(double x, double y) throws InterruptedException {
    moveMouse(x, y);
    press(x, y, 1);
    afterFrames();
  }

  void doubleClick(double x, double y) throws InterruptedException {
    moveMouse(x, y);
    press(x, y, 1);
    press(x, y, 2);
    afterFrames();
  }

  private void press(double x, double y, int clicks) throws InterruptedException {
    mouse("mousePressed", x, y, 1, clicks);
    mouse("mouseReleased", x, y, 0, clicks);
  }

  /** Moves the mouse with its button held, in steps as a hand does, a frame or more for each. */
  void drag(double fromX, double fromY, double toX, double toY) throws InterruptedException {
    moveMouse(fromX, fromY);
    mouse("mousePressed", fromX, fromY, 1, 1);
    for (int step = 1; step <= DRAG_STEPS; step++) {
      double share = (double) step / DRAG_STEPS;
      mouse("mouseMoved", fromX + share * (toX - fromX), fromY + share * (toY - fromY), 1, 0);
      afterFrames();
    }
    mouse("mouseReleased", toX, toY, 0, 1);
    afterFrames();
  }

  /** The same with a finger. */
  void swipe(double fromX, double fromY, double toX, double toY) throws InterruptedException {
    touch("touchStart", fromX, fromY);
    for (int step = 1; step <= DRAG_STEPS; step++) {
      double share = (double) step / DRAG_STEPS;
      touch("touchMove", fromX + share * (toX - fromX), fromY + share * (toY - fromY));
      afterFrames();
    }
    call("Input.dispatchTouchEvent", Map.of("type", "touchEnd", "touchPoints", List.of()));
    afterFrames();
  }

  private void touch(String type, double x, double y) throws InterruptedException {
    call(
        "Input.dispatchTouchEvent",
        Map.of("type", type, "touchPoints", List.of(Map.of("x", x, "y", y))));
  }

  private void mouse(String type, double x, double y, int buttons, int clicks)
      throws InterruptedException {
    String button = type.equals("mouseMoved") && buttons == 0 ? "none" : "left";
    call(
        "Input.dispatchMouseEvent",
        Map.of(
            "type",
            type,
            "x",
            x,
            "y",
            y,
            "button",
            button,
            "buttons",
            buttons,
            "clickCount",
            clicks));
  }

  /**
   * Presses and releases a key.
   *
   * @param key its name, such as Tab or Enter
   * @param code of Windows, which Chromium wants
   */
  void key(String key, int code, String text) throws InterruptedException {
    call(
        "Input.dispatchKeyEvent",
        Map.of(
            "type",
            "keyDown",
            "key",
            key,
            "code",
            key,
            "windowsVirtualKeyCode",
            code,
            "text",
            text));
    call(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", code));
    afterFrames();
  }

  /** A PNG of the whole page. */
  byte[] screenshot() throws InterruptedException {
    JsonNode picture =
        call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    return Base64.getDecoder().decode(picture.path("data").asText());
  }

  /** The page as it would be printed on A4, as PDF. */
  byte[] print() throws InterruptedException {
    JsonNode pdf =
        call(
            "Page.printToPDF",
            Map.of("preferCSSPageSize", true, "paperWidth", 8.27, "paperHeight", 11.69));
    return Base64.getDecoder().decode(pdf.path("data").asText());
  }

  /** What went to the console or was thrown since the page was opened, warnings included. */
  List<String> complaints() {
    return messages.texts(
        List.of("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"));
  }

  /** Addresses that were asked for since the page was opened, the page's own included. */
  List<String> requests() {
    return messages.all("Network.requestWillBeSent").stream()
        .map(message -> message.at("/params/request/url").asText())
        .filter(url -> !url.startsWith("data:"))
        .toList();
  }

  /** Closes the tab. */
  @Override
  public void close() {
    socket.abort();
    try {
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create("http://" + Chromium.INSTANCE.address + "/json/close/" + id))
              .build();
      Chromium.INSTANCE.client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What the browser says, kept until it is forgotten. */
  private static final class Messages implements WebSocket.Listener {
    private final List<JsonNode> received = new ArrayList<>();
    private final StringBuilder part = new StringBuilder();

    interface Wanted {
      boolean test(JsonNode message);
    }

    @Override
    public @org.jspecify.annotations.Nullable CompletionStage<?> onText(
        WebSocket from, CharSequence data, boolean last) {
      part.append(data);
      if (last) {
        add(part.toString());
        part.setLength(0);
      }
      from.request(1);
      return null;
    }

    private synchronized void add(String text) {
      try {
        received.add(MAPPER.readTree(text));
      } catch (IOException e) {
        throw new IllegalStateException("the browser sent no JSON", e);
      }
      notifyAll();
    }

    synchronized JsonNode await(Wanted wanted, String what) throws InterruptedException {
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      int from = 0;
      while (true) {
        for (; from < received.size(); from++) {
          if (wanted.test(received.get(from))) {
            return received.get(from);
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new AssertionError("the browser does not answer: " + what);
        }
        wait(left);
      }
    }

    synchronized void forget() {
      received.clear();
    }

    synchronized List<JsonNode> all(String method) {
      return received.stream().filter(m -> m.path("method").asText().equals(method)).toList();
    }

    synchronized List<String> texts(List<String> methods) {
      return received.stream()
          .filter(message -> methods.contains(message.path("method").asText()))
          .map(message -> message.path("params").toString())
          .toList();
    }
  }
}
