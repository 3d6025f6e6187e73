package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A headless Chromium, moved as a person would move it: mouse and keys come through its DevTools
 * protocol. One page at a time; used by one thread.
 */
final class Browser implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final DriverProcess process;
  private final WebSocket socket;
  private final Messages messages;
  private int lastId;

  private Browser(DriverProcess process, WebSocket socket, Messages messages) {
    this.process = process;
    this.socket = socket;
    this.messages = messages;
  }

  /** The program, if there is one. */
  static Optional<Path> program() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts it.
   *
   * @param directory for its profile
   */
  static Browser start(Path program, Path directory) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            program.toString(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--user-data-dir=" + directory.resolve("browser"),
            "--remote-debugging-port=0",
            "about:blank");
    DriverProcess process = new Workspace(directory).startCommand(command, Map.of());
    process.awaitError("DevTools listening on ws://");
    String announced = process.error();
    String address = announced.substring(announced.indexOf("ws://") + "ws://".length());
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest newPage =
        HttpRequest.newBuilder(
                URI.create("http://" + address.substring(0, address.indexOf('/')) + "/json/new"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    JsonNode page = MAPPER.readTree(client.send(newPage, BodyHandlers.ofString()).body());
    Messages messages = new Messages();
    WebSocket socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(page.path("webSocketDebuggerUrl").asText()), messages)
            .join();
    Browser browser = new Browser(process, socket, messages);
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      browser.call(domain + ".enable", Map.of());
    }
    return browser;
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
    call("Page.navigate", Map.of("url", page.toString()));
    messages.await(
        message -> message.path("method").asText().equals("Page.loadEventFired"), "loading");
    afterFrames();
  }

  void resize(int width, int height) throws InterruptedException {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 700));
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
            List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
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
    mouse("mouseMoved", x, y, 0);
  }

  void click(double x, double y) throws InterruptedException {
    moveMouse(x, y);
    mouse("mousePressed", x, y, 1);
    mouse("mouseReleased", x, y, 0);
    afterFrames();
  }

  private void mouse(String type, double x, double y, int buttons) throws InterruptedException {
    boolean moved = type.equals("mouseMoved");
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
            moved && buttons == 0 ? "none" : "left",
            "buttons",
            buttons,
            "clickCount",
            moved ? 0 : 1));
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

  /** Ends it in order, so that nobody writes into its directory any more. */
  @Override
  public void close() {
    socket.sendText("{\"id\": 0, \"method\": \"Browser.close\"}", true).join();
    try {
      process.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    socket.abort();
    process.close();
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
