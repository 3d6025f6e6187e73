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
  /** A sweep's own file: each directory next to it is a system, apart from these. */
  private static final String SWEEP = "sweep.json";

  private static final Set<String> NO_SYSTEMS = Set.of("logs", "aside", "hold", "comparison");

  private static final int DEPTH = 3;
  private static final int MOST = 2000;

  /**
   * One of them.
   *
   * @param folder the path from the group to the directory that holds it; empty without one
   */
  record FoundDirectory(Path path, String folder) {
    static String top(String folder) {
      return folder.replaceFirst("/.*", "");
    }

    private FoundDirectory without(String top) {
      return new FoundDirectory(path, folder.equals(top) ? "" : folder.substring(top.length() + 1));
    }
  }

  private ResultDirectories() {}

  /**
   * @throws ConfigException if there are none
   */
  static List<FoundDirectory> in(Path group) throws IOException {
    if (!Files.exists(group)) {
      throw new ConfigException(group + ": no such directory");
    }
    if (!Files.isDirectory(group)) {
      throw new ConfigException(
          group + ": is a file, expected a result directory or a directory that holds some");
    }
    List<FoundDirectory> found = new ArrayList<>();
    collectBelow(group, "", DEPTH, found);
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
    return isSweep(group) ? found : withoutCommonFolder(found);
  }

  /** One folder for all runs is no name of a system, but for a sweep that had one database. */
  private static List<FoundDirectory> withoutCommonFolder(List<FoundDirectory> found) {
    String top = FoundDirectory.top(found.get(0).folder());
    return top.isEmpty() || tops(found) > 1
        ? found
        : withoutCommonFolder(found.stream().map(one -> one.without(top)).toList());
  }

  private static boolean isSweep(Path directory) {
    return Files.isRegularFile(directory.resolve(SWEEP));
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

  /**
   * @param depth how many levels are looked at
   */
  private static void collectBelow(
      Path directory, String folder, int depth, List<FoundDirectory> found) throws IOException {
    List<Path> children = children(directory);
    if (isSweep(directory)) {
      List<String> order = order(directory.resolve(SWEEP));
      children =
          children.stream()
              .filter(child -> !NO_SYSTEMS.contains(name(child)))
              // Stable: what the plan does not name comes first, as it was found.
              .sorted(Comparator.comparingInt(child -> order.indexOf(name(child))))
              .toList();
    }
    for (Path child : children) {
      if (ResultReader.isRun(child)) {
        found.add(new FoundDirectory(child, folder));
      } else if (depth > 1) {
        collectBelow(
            child, folder.isEmpty() ? name(child) : folder + "/" + name(child), depth - 1, found);
      }
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static List<Path> children(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths
          .filter(Files::isDirectory)
          .filter(path -> !name(path).startsWith("."))
          .sorted()
          .toList();
    }
  }

  /** How many folders the runs part into first. */
  static long tops(List<FoundDirectory> found) {
    return found.stream().map(one -> FoundDirectory.top(one.folder())).distinct().count();
  }
}
