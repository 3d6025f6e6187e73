package io.shardmark.driver.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.reader.ResultReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The result directories of a group. */
final class ResultDirectories {
  /** A sweep's own file: each directory beside it is a system, apart from these. */
  private static final String SWEEP = "sweep.json";

  private static final Set<String> NO_SYSTEMS = Set.of("logs", "aside", "hold", "comparison");

  private static final int DEPTH = 3;
  private static final int MOST = 2000;

  /**
   * One of them.
   *
   * @param system what the directory between it and the group is called; empty without one
   */
  record Found(Path path, String system) {}

  private ResultDirectories() {}

  /**
   * @throws ConfigException if there are none
   */
  static List<Found> in(Path group) throws IOException {
    if (!Files.exists(group)) {
      throw new ConfigException(group + ": no such directory");
    }
    if (!Files.isDirectory(group)) {
      throw new ConfigException(
          group + ": is a file, expected a result directory or a directory that holds some");
    }
    boolean sweep = Files.isRegularFile(group.resolve(SWEEP));
    List<Found> found = new ArrayList<>();
    for (Path child : children(group)) {
      String name = String.valueOf(child.getFileName());
      if (!sweep || !NO_SYSTEMS.contains(name)) {
        collect(child, ResultReader.isRun(child) ? "" : name, DEPTH, found);
      }
    }
    if (found.isEmpty()) {
      throw new ConfigException(
          group
              + ": is no result directory and holds none; expected summary.json or data/result.csv"
              + " in it or in the directories below");
    }
    if (found.size() > MOST) {
      throw new ConfigException(
          group
              + ": holds %d result directories, expected %d at most".formatted(found.size(), MOST));
    }
    if (sweep) {
      List<String> order = order(group.resolve(SWEEP));
      // Stable: what the plan does not name comes first, as it was found.
      found.sort(Comparator.comparingInt(one -> order.indexOf(one.system())));
    }
    // One folder for all runs is no name of a system, but for a sweep that had one database.
    boolean nested = sweep || systems(found) > 1;
    return nested ? found : found.stream().map(one -> new Found(one.path(), "")).toList();
  }

  /** Databases as the sweep was asked for them: the first one is the baseline. */
  private static List<String> order(Path plan) throws IOException {
    List<String> names = new ArrayList<>();
    try {
      new ObjectMapper()
          .readTree(Files.readAllBytes(plan))
          .at("/asked/databases")
          .forEach(database -> names.add(database.path("name").asText()));
    } catch (JsonProcessingException e) {
      return List.of(); // the order of the folders does as well
    }
    return names;
  }

  private static void collect(Path directory, String system, int depth, List<Found> found)
      throws IOException {
    if (ResultReader.isRun(directory)) {
      found.add(new Found(directory, system));
    } else if (depth > 1) {
      for (Path child : children(directory)) {
        collect(child, system, depth - 1, found);
      }
    }
  }

  private static List<Path> children(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths
          .filter(Files::isDirectory)
          .filter(path -> !String.valueOf(path.getFileName()).startsWith("."))
          .sorted()
          .toList();
    }
  }

  static long systems(List<Found> found) {
    return found.stream().map(Found::system).distinct().count();
  }
}
