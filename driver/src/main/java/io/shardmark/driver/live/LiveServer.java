package io.shardmark.driver.live;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.shardmark.config.ConfigException;
import io.shardmark.config.LiveConfig.Listener;
import io.shardmark.driver.report.PageHtml;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The page, its JSON and the metrics over HTTP, for readers only. It has a thread that accepts and
 * two that answer; what they need does not grow with the run. No login: by default only this
 * machine reaches it.
 */
public final class LiveServer implements AutoCloseable {
  private static final int BACKLOG = 16;
  private static final int THREADS = 2;
  private static final String HTML = "text/html; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private static final String SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:;"
          // the chart library writes style attributes
          + " style-src 'self' 'unsafe-inline';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  static {
    // The JDK's server waits for ever by default: a reader that stops half way would keep a thread.
    limitSeconds("sun.net.httpserver.maxReqTime", 10);
    limitSeconds("sun.net.httpserver.maxRspTime", 30);
  }

  private final HttpServer server;
  private final boolean onlyThisMachine;
  private final Viewers viewers = new Viewers();
  private final ExecutorService threads;
  private final Consumer<String> notes;
  private final AtomicBoolean faultTold = new AtomicBoolean();
  private @Nullable RunMetrics metrics;

  @SuppressWarnings("ArrayRecordComponent") // nobody compares answers
  private record Answer(int status, String contentType, byte[] body, Runnable whenSent) {
    static Answer of(String contentType, byte[] body) {
      return of(contentType, body, () -> {});
    }

    static Answer of(String contentType, byte[] body, Runnable whenSent) {
      return new Answer(200, contentType, body, whenSent);
    }

    static Answer refused(int status, String text) {
      return new Answer(
          status,
          "text/plain; charset=utf-8",
          (text + "\n").getBytes(StandardCharsets.UTF_8),
          () -> {});
    }
  }

  @FunctionalInterface
  private interface ServedPage {
    Answer answer(Map<String, String> query) throws IOException;
  }

  private LiveServer(HttpServer server, Consumer<String> notes) {
    this.server = server;
    this.notes = notes;
    onlyThisMachine = server.getAddress().getAddress().isLoopbackAddress();
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "live-http-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
  }

  private static void limitSeconds(String property, int seconds) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(seconds));
    }
  }

  /**
   * Takes the port. Nothing is answered before {@link #serve}.
   *
   * @param notes receives one line if an answer cannot be made, the first time only
   * @throws ConfigException if the address cannot be had
   */
  public static LiveServer bind(Listener listener, Consumer<String> notes) {
    try {
      InetAddress address = InetAddress.getByName(listener.host());
      return new LiveServer(
          HttpServer.create(new InetSocketAddress(address, listener.port()), BACKLOG), notes);
    } catch (UnknownHostException e) {
      throw new ConfigException(
          "%s: expected an address of this machine, not '%s'"
              .formatted(listener.written(), listener.host()));
    } catch (IOException e) {
      throw new ConfigException(
          "%s: cannot listen on %s port %d: %s"
              .formatted(listener.written(), listener.host(), listener.port(), e.getMessage()));
    }
  }

  /** Where the page is, with the real port if any was asked for. */
  public String url() {
    InetSocketAddress address = server.getAddress();
    String host = address.getAddress().getHostAddress();
    return "http://%s:%d/"
        .formatted(host.contains(":") ? "[" + host + "]" : host, address.getPort());
  }

  /** Answers from now on. To be called once. */
  public void serve(LiveRun run) {
    RunMetrics exported = new RunMetrics(run);
    metrics = exported;
    LiveJson json = new LiveJson(run);
    Map<String, ServedPage> pages = new LinkedHashMap<>();
    pages.put("/", file(HTML, "live.html"));
    pages.put("/page.css", file("text/css; charset=utf-8", PageHtml.COMMON + ".css"));
    pages.put("/live.css", file("text/css; charset=utf-8", "live.css"));
    pages.put("/page.js", file(SCRIPT, PageHtml.COMMON + ".js"));
    pages.put("/live.js", file(SCRIPT, "live.js"));
    pages.put("/echarts.js", file(SCRIPT, PageHtml.CHART_LIBRARY));
    pages.put("/api/run", query -> Answer.of("application/json", json.facts()));
    pages.put(
        "/api/live",
        query -> {
          String viewer = query.getOrDefault("viewer", "");
          // A page that can have the report has not learned all before it has that.
          boolean over = run.isWritten() && run.report().isEmpty();
          viewers.seen(viewer, false);
          // A viewer without the answer has learned nothing, and the port is still needed.
          return Answer.of(
              "application/json",
              json.state(number(query, "width"), number(query, "from")),
              () -> viewers.seen(viewer, over));
        });
    pages.put(
        "/report",
        query -> {
          Optional<Path> report = run.report();
          return report.isEmpty()
              ? Answer.refused(404, "there is no report yet")
              : Answer.of(
                  HTML,
                  Files.readAllBytes(report.get()),
                  () -> viewers.seen(query.getOrDefault("viewer", ""), true));
        });
    pages.put(
        "/metrics",
        query ->
            Answer.of(RunMetrics.CONTENT_TYPE, exported.scrape().getBytes(StandardCharsets.UTF_8)));
    server.createContext("/", exchange -> handle(exchange, pages));
    server.start();
  }

  private static ServedPage file(String contentType, String name) {
    return query -> Answer.of(contentType, PageHtml.resource(LiveServer.class, name));
  }

  /** 0 for what is no number: then the answer has the whole history. */
  private static int number(Map<String, String> query, String name) {
    String text = query.getOrDefault(name, "0");
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
  }

  private void handle(HttpExchange exchange, Map<String, ServedPage> pages) throws IOException {
    try (exchange) {
      Answer answer = answerOrFault(exchange, pages);
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Type", answer.contentType());
      headers.set("Content-Security-Policy", SECURITY_POLICY);
      headers.set("X-Content-Type-Options", "nosniff");
      headers.set("Referrer-Policy", "no-referrer");
      headers.set("Cache-Control", "no-store");
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(answer.status(), head ? -1 : answer.body().length);
      if (!head) {
        try (OutputStream out = exchange.getResponseBody()) {
          out.write(answer.body());
        }
      }
      answer.whenSent().run();
    }
  }

  /** The top of what a request runs: a fault concerns one reader, and is noted once. */
  private Answer answerOrFault(HttpExchange exchange, Map<String, ServedPage> pages)
      throws IOException {
    try {
      return answer(exchange, pages);
    } catch (RuntimeException | Error e) {
      if (faultTold.compareAndSet(false, true)) {
        notes.accept("live page: %s failed: %s".formatted(exchange.getRequestURI().getPath(), e));
      }
      return Answer.refused(500, "the driver failed to make this page: " + e);
    }
  }

  private Answer answer(HttpExchange exchange, Map<String, ServedPage> pages) throws IOException {
    String method = exchange.getRequestMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return Answer.refused(405, "GET only");
    }
    if (onlyThisMachine && !namesThisMachine(exchange.getRequestHeaders().getFirst("Host"))) {
      // Else any page in a browser of this machine could read this one, under its own name.
      return Answer.refused(421, "metricsPort without an address answers to localhost only");
    }
    ServedPage page = pages.get(exchange.getRequestURI().getPath());
    if (page == null) {
      return Answer.refused(404, "no such page; there are " + String.join(" ", pages.keySet()));
    }
    return page.answer(query(exchange.getRequestURI().getRawQuery()));
  }

  private static boolean namesThisMachine(@Nullable String host) {
    if (host == null) {
      return true; // HTTP/1.0, which no browser speaks
    }
    String name = host.replaceFirst(":\\d*$", "");
    return name.equalsIgnoreCase("localhost")
        || name.equals("[::1]")
        || name.matches("127(\\.\\d{1,3}){3}");
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : Objects.requireNonNullElse(raw, "").split("&", 10)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        query.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return query;
  }

  /**
   * Waits until each page that is open has learned that the run is over, for a moment at most. To
   * be called after {@link LiveRun#finish}.
   */
  public void awaitViewers() throws InterruptedException {
    viewers.awaitAll();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    if (metrics != null) {
      metrics.close();
    }
  }
}
