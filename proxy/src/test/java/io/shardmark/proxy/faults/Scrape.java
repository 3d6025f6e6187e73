package io.shardmark.proxy.faults;

import io.shardmark.proxy.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
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

  /** The first that is as expected. */
  static Scrape until(int port, String what, Predicate<Scrape> expected) {
    return Await.value(what, () -> of(port), expected);
  }

  double value(String name) {
    Double value = samples.get(name);
    if (value == null) {
      throw new AssertionError("no metric " + name + " in " + samples.keySet());
    }
    return value;
  }
}
