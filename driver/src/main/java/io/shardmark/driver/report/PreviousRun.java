package io.shardmark.driver.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.Session;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.TypeResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The last run before this one with the same properties file, if its directory is in the same
 * directory.
 *
 * @param name of its directory
 * @param values of its summary by their places, such as {@code /metrics/0/value}: there may be many
 *     such runs, and of each little is looked at
 */
record PreviousRun(String name, Map<String, Object> values) {
  /** In a directory with more entries nobody looks. */
  private static final int MOST_ENTRIES = 500;

  private static final long MOST_BYTES = 1 << 20;

  private static final String PROPERTIES = "run.properties";
  private static final JsonFactory JSON = new JsonFactory();

  /** Empty if there is none, or what is there cannot be read. */
  static Optional<PreviousRun> of(Path directory, RunResult run) {
    Path own = directory.toAbsolutePath().normalize();
    Path parent = own.getParent();
    Optional<Instant> start = run.run().begun();
    if (parent == null || start.isEmpty()) {
      return Optional.empty();
    }
    try (Stream<Path> listed = Files.list(parent)) {
      List<Path> entries = listed.limit(MOST_ENTRIES + 1L).toList();
      if (entries.size() > MOST_ENTRIES) {
        return Optional.empty();
      }
      String properties = properties(directory);
      List<PreviousRun> before = new ArrayList<>();
      for (Path other :
          entries.stream().filter(path -> !path.equals(own) && isLike(path, properties)).toList()) {
        PreviousRun one = new PreviousRun(String.valueOf(other.getFileName()), values(other));
        if (one.begun().filter(start.get()::isAfter).isPresent()) {
          before.add(one);
        }
      }
      return before.stream().max(Comparator.comparing(one -> one.begun().orElseThrow()));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // a report does not need it
    }
  }

  /** Texts and numbers; none if there is no such file, or a damaged one. */
  private static Map<String, Object> values(Path directory) throws IOException {
    Path file = directory.resolve(SummaryFile.NAME);
    if (!isSmall(file)) {
      return Map.of();
    }
    Map<String, Object> values = new HashMap<>();
    try (JsonParser json = JSON.createParser(Files.readAllBytes(file))) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token.isScalarValue()) {
          values.put(
              json.getParsingContext().pathAsPointer().toString(),
              token.isNumeric() ? json.getDoubleValue() : json.getText());
        }
      }
    } catch (JsonProcessingException e) {
      return Map.of();
    }
    return values;
  }

  private Optional<Instant> begun() {
    return Session.instant(values.getOrDefault("/run/sessionStart", "").toString());
  }

  /** A member of the element that has this name; empty if it has none. */
  private Optional<Double> number(String list, String element, String member) {
    for (int i = 0; values.containsKey(list + i + "/name"); i++) {
      if (element.equals(values.get(list + i + "/name"))) {
        return values.get(list + i + member) instanceof Double number
            ? Optional.of(number)
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static String properties(Path directory) throws IOException {
    return Files.readString(directory.resolve(PROPERTIES));
  }

  private static boolean isSmall(Path file) throws IOException {
    return Files.isRegularFile(file) && Files.size(file) < MOST_BYTES;
  }

  private static boolean isLike(Path directory, String properties) {
    try {
      return isSmall(directory.resolve(PROPERTIES)) && properties(directory).equals(properties);
    } catch (IOException e) {
      return false;
    }
  }

  /** {@code tps 3.2 % more, p99 update 12 % longer}; empty if nothing can be compared. */
  String changes(RunResult now) {
    List<String> changes = new ArrayList<>();
    for (Metric metric : now.metrics()) {
      number("/metrics/", metric.name(), "/value")
          .ifPresent(before -> add(changes, metric.name(), metric.value(), before, "more", "less"));
    }
    for (TypeResult type : now.types()) {
      Optional<Double> own = p99(type);
      Optional<Double> before = p99(type.name());
      if (type.headline() && own.isPresent() && before.isPresent()) {
        add(changes, "p99 " + type.name(), own.get(), before.get(), "longer", "shorter");
      }
    }
    return String.join(", ", changes);
  }

  private static Optional<Double> p99(TypeResult type) {
    return type.latencyMillis()
        .of(Scope.ALL, LatencyKind.DUE)
        .filter(due -> due.count() > 0 && !LatencyFigure.P99.isLowerBound(due))
        .map(Latency::p99);
  }

  private Optional<Double> p99(String type) {
    String due = "/latencyMillis/all/due/";
    double known = number("/types/", type, due + "lowerBoundFrom").orElse(Double.MAX_VALUE);
    return number("/types/", type, due + "p99")
        .filter(p99 -> LatencyFigure.P99.percentile() < known);
  }

  private static void add(
      List<String> to, String name, double now, double before, String more, String less) {
    double change = now / before - 1;
    if (Double.isFinite(change)) {
      to.add(name + " " + Texts.percent(Math.abs(change)) + " " + (change < 0 ? less : more));
    }
  }
}
