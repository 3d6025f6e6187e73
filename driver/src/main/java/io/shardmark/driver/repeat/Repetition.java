package io.shardmark.driver.repeat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ProgramDirectory;
import io.shardmark.config.UsageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * How a published test is repeated: the series of runs that make its tables.
 *
 * @param source the directory of the published figures
 * @param links rates of the addresses in place of the source's networks, as {@link ShapedLinks}
 *     takes them
 */
public record Repetition(Path source, List<RepeatedSeries> series, Map<String, String> links) {
  private static final String DIRECTORIES = "published-";
  private static final String ROW = "{row}";

  /**
   * A sweep, or one for each row of a table whose axis is not the terminals.
   *
   * @param directory of its results, and what the systems of its tables begin with
   * @param rows empty if the terminals are the axis
   * @param databases the keys of each; {@code {row}} in them is replaced by the row
   * @param ofRow keys of a row
   * @param full keys of the source's sizes, which win over those of all databases
   */
  public record RepeatedSeries(
      String directory,
      List<String> rows,
      List<Integer> terminals,
      Map<String, Map<String, String>> databases,
      Map<String, Map<String, String>> ofRow,
      Map<String, String> full) {

    public RepeatedSeries {
      rows = rows == null ? List.of() : List.copyOf(rows);
      terminals = List.copyOf(terminals);
      databases = new LinkedHashMap<>(databases);
      ofRow = ofRow == null ? Map.of() : Map.copyOf(ofRow);
      full = full == null ? Map.of() : new LinkedHashMap<>(full);
    }

    /** The same with the rows, or the terminals, that are among the chosen ones. */
    RepeatedSeries only(List<String> chosen) {
      return new RepeatedSeries(
          directory,
          rows.stream().filter(chosen::contains).toList(),
          rows.isEmpty()
              ? terminals.stream().filter(one -> chosen.contains(one.toString())).toList()
              : terminals,
          databases,
          ofRow,
          full);
    }

    /** True if a run has a value with this in it. */
    boolean names(String part) {
      return (rows.isEmpty() ? Stream.of("") : rows.stream())
          .flatMap(row -> databases.keySet().stream().map(name -> keys(name, row)))
          .flatMap(keys -> keys.values().stream())
          .anyMatch(value -> value.contains(part));
    }

    boolean isEmpty(boolean hadRows) {
      return hadRows ? rows.isEmpty() : terminals.isEmpty();
    }

    /** The keys of a database in a row. */
    Map<String, String> keys(String database, String row) {
      Map<String, String> keys = new LinkedHashMap<>(databases.getOrDefault(database, Map.of()));
      keys.putAll(ofRow.getOrDefault(row, Map.of()));
      keys.replaceAll((key, value) -> value.replace(ROW, row));
      return keys;
    }
  }

  /**
   * The repetition of a source.
   *
   * @param name of its directory after {@code published-}, or the beginning of that
   * @throws UsageException if there is no such source
   * @throws ConfigException if the published figures are not there, or say nothing of runs
   */
  public static Repetition named(String name) throws IOException {
    Map<String, Path> known = sources();
    String found =
        known.keySet().stream()
            .filter(one -> (one + "-").startsWith(name + "-"))
            .findFirst()
            .orElseThrow(
                () ->
                    new UsageException(
                        "repeat %s: expected one of %s"
                            .formatted(
                                name,
                                new TreeSet<>(
                                    known.keySet().stream()
                                        .map(one -> one.replaceFirst("-.*", ""))
                                        .toList()))));
    return read(Objects.requireNonNull(known.get(found)));
  }

  static Repetition read(Path directory) throws IOException {
    Path file = directory.resolve("published.json");
    try {
      ObjectMapper mapper = new ObjectMapper();
      JsonNode root = mapper.readTree(file.toFile());
      JsonNode node = root.path("repeat");
      if (node.isEmpty()) {
        throw new ConfigException(file + ": repeat: expected the runs that repeat it");
      }
      List<RepeatedSeries> series = new ArrayList<>();
      for (JsonNode one : node) {
        series.add(mapper.treeToValue(one, RepeatedSeries.class));
      }
      Map<String, String> links = new LinkedHashMap<>();
      root.path("links")
          .properties()
          .forEach(one -> links.put(one.getKey(), one.getValue().asText()));
      return new Repetition(directory, List.copyOf(series), links);
    } catch (JsonProcessingException e) {
      throw new ConfigException(file + ": repeat: " + e.getOriginalMessage());
    }
  }

  /**
   * @param chosen rows or terminals; empty for all
   * @throws UsageException if no series has any of them
   */
  public Repetition only(List<String> chosen) {
    if (chosen.isEmpty()) {
      return this;
    }
    List<RepeatedSeries> left =
        series.stream()
            .map(one -> Map.entry(one, one.only(chosen)))
            .filter(one -> !one.getValue().isEmpty(!one.getKey().rows.isEmpty()))
            .map(Map.Entry::getValue)
            .toList();
    if (left.isEmpty()) {
      throw new UsageException(
          "--rows %s: expected some of %s"
              .formatted(
                  String.join(",", chosen),
                  series.stream()
                      .flatMap(one -> one.rows.isEmpty() ? texts(one.terminals) : one.rows.stream())
                      .distinct()
                      .toList()));
    }
    return new Repetition(source, left, links);
  }

  /** The links that runs of the embedded servers go over. */
  public Map<String, String> linksInUse() {
    Map<String, String> used = new LinkedHashMap<>(links);
    used.keySet().removeIf(address -> series.stream().noneMatch(one -> one.names(address)));
    return used;
  }

  private static Stream<String> texts(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf);
  }

  /** Next to the jar that runs, as in the archive, or in the source tree. */
  private static Map<String, Path> sources() throws IOException {
    Path own = ProgramDirectory.find().orElse(Path.of("").toAbsolutePath());
    for (Path place : List.of(own.resolve("results"), own.resolve("../../results").normalize())) {
      Map<String, Path> found = new LinkedHashMap<>();
      if (Files.isDirectory(place)) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(place, DIRECTORIES + "*")) {
          all.forEach(
              one ->
                  found.put(
                      String.valueOf(one.getFileName()).substring(DIRECTORIES.length()), one));
        }
      }
      if (!found.isEmpty()) {
        return found;
      }
    }
    throw new ConfigException(
        "repeat: the published figures are not there: expected them in %s"
            .formatted(own.resolve("results")));
  }
}
