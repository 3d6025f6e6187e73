package io.shardmark.proxy.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmHeapPressureMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.shardmark.proxy.background.BackgroundRunner;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves {@code /metrics}, {@code /health} (is the process alive) and {@code /ready} (should
 * clients be sent here) over HTTP, on a few threads. No authentication: listen on an address that
 * only the monitoring reaches.
 */
public final class MetricsServer implements AutoCloseable {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  /** Who sends half a request, or does not read, has one of them until {@link #LONGEST_SECONDS}. */
  private static final int THREADS = 4;

  private static final String LONGEST_SECONDS = "10";

  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
  private final JvmHeapPressureMetrics heapPressure = new JvmHeapPressureMetrics();
  private final HttpServer server;
  private volatile Supplier<String> whyNotReady = () -> "the proxy is starting";
  private volatile Supplier<List<String>> healthProblems = List::of;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, BackgroundRunner.threadFactory("metrics"));

  private MetricsServer(HttpServer server, ProxyMetrics metrics) {
    this.server = server;
    MeterRegistry registry = metrics.registry();
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbageCollection.bindTo(registry);
    heapPressure.bindTo(registry);
    server.setExecutor(threads);
    server.createContext("/metrics", exchange -> answer(exchange, 200, metrics.scrape(TEXT)));
    server.createContext("/health", exchange -> answer(exchange, 200, health()));
    server.createContext(
        "/ready",
        exchange -> {
          String why = whyNotReady.get();
          answer(exchange, why.isEmpty() ? 200 : 503, why.isEmpty() ? "ready\n" : why + "\n");
        });
  }

  /** A restart mends no failing task: the status stays 200, and the text says what fails. */
  private String health() {
    StringBuilder text = new StringBuilder("alive\n");
    healthProblems.get().forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  /**
   * Binds and serves. Not ready until {@link #readyUnless} has said when it is.
   *
   * @throws IOException if the address cannot be bound
   */
  public static MetricsServer start(InetSocketAddress address, ProxyMetrics metrics)
      throws IOException {
    limit("maxReqTime");
    limit("maxRspTime");
    MetricsServer server = new MetricsServer(HttpServer.create(address, 16), metrics);
    server.server.start();
    return server;
  }

  /**
   * What says from now on whether clients should be sent here. Any thread.
   *
   * @param why "" if they should, else one line why not; asked on the server's threads
   */
  public void readyUnless(Supplier<String> why) {
    whyNotReady = why;
  }

  /**
   * What fails in a process that lives, one line each; from now on. Any thread.
   *
   * @param problems asked on the server's threads
   */
  public void healthShows(Supplier<List<String>> problems) {
    healthProblems = problems;
  }

  /** The JDK's server has no other way to set it; without it a request may take for ever. */
  private static void limit(String what) {
    String property = "sun.net.httpserver." + what;
    if (System.getProperty(property) == null) {
      System.setProperty(property, LONGEST_SECONDS);
    }
  }

  /** Where it listens; the port is the real one if 0 was asked for. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      boolean reads = exchange.getRequestMethod().equals("GET");
      byte[] body = (reads ? text : "GET only\n").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", TEXT);
      exchange.sendResponseHeaders(reads ? status : 405, body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    garbageCollection.close();
    heapPressure.close();
  }
}
