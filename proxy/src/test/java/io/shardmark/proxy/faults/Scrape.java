package io.shardmark.proxy.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code /metrics} of a running proxy said at a moment.
 *
 * @param samples by name; where a metric has a label {@code shard}, the sum of all shards
 */
record Scrape(Map<String, Double> samples) {
  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^(shardmark_[^ {]+)(\\{[^}]*})? (\\S+)$");
  private static final int LIMIT_SECONDS = 30;

  static Scrape of(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    String text =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    Map<String, Double> samples = new LinkedHashMap<>();
    Matcher sample = SAMPLE.matcher(text);
    while (sample.find()) {
      String labels = sample.group(2) == null ? "" : sample.group(2);
      String name = sample.group(1) + labels.replaceAll("shard=\"[^\"]*\",?", "");
      samples.merge(
          name.replace("{}", ""),
          Double.valueOf(sample.group(3).replace("Inf", "Infinity")),
          Double::sum);
    }
    return new Scrape(samples);
  }

  /** Looks until it is as expected; what is seen last otherwise. */
  static Scrape until(int port, Predicate<Scrape> expected)
      throws IOException, InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long start = System.nanoTime();
    while (true) {
      Scrape now = of(port);
      if (expected.test(now)
          || System.nanoTime() - start > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)
          || never.await(20, TimeUnit.MILLISECONDS)) {
        return now;
      }
    }
  }

  double value(String name) {
    Double value = samples.get(name);
    if (value == null) {
      throw new AssertionError("no metric " + name + " in " + samples.keySet());
    }
    return value;
  }
}
