package io.shardmark.driver.compare;

import io.shardmark.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The systems in the order in which they first occurred, and what they are called.
 *
 * <ul>
 *   <li>Runs of one name are one system.
 *   <li>Runs in folders are one system for each folder, called as the path to it from where the
 *       folders part: as short as the runs below it are alike.
 *   <li>Runs of one directory with the same settings are one system, called as the directory.
 *   <li>Runs that were given one by one without a name are one system if they had the same settings
 *       but for terminals and warehouses. If they all were, and two have one place, each is its
 *       own: before and after, say.
 * </ul>
 */
final class NamedSystems {
  private final Map<Group, SystemBuilder> builders = new LinkedHashMap<>();

  /** What runs are gathered by while they are read. */
  private sealed interface Group permits Named, InFolder, Unnamed {}

  private record Named(String name) implements Group {}

  /**
   * @param prefix the name of the argument with what parts it from the folder's; may be empty
   * @param folder the path from the argument to the run's directory
   */
  private record InFolder(String prefix, Path argument, String folder, SystemKey key)
      implements Group {
    String name(String rest) {
      return rest.isEmpty() ? prefix.replace(PART, "") : prefix + rest;
    }
  }

  /** A directory of runs, or a single one of them. */
  private record Unnamed(Path path, SystemKey key, boolean single) implements Group {}

  /** Between what a user or a folder is called and what parts its runs. */
  private static final String PART = " · ";

  SystemBuilder named(String name) {
    SystemBuilder known =
        builders.computeIfAbsent(new Named(name), group -> new SystemBuilder(null));
    if (known.isPublished()) {
      throw new ConfigException(
          "'" + name + "' are published figures; name the measured runs otherwise");
    }
    return known;
  }

  void addPublished(String name, SystemBuilder builder) {
    if (builders.putIfAbsent(new Named(name), builder) != null) {
      throw new ConfigException("'" + name + "' is there twice; expected a name for each system");
    }
  }

  /** Of a run that was given alone, or in a directory where others of its system may be. */
  SystemBuilder unnamed(Path path, Measurement run, boolean single) {
    return builders.computeIfAbsent(
        new Unnamed(path, SystemKey.of(run), single), group -> new SystemBuilder(null));
  }

  /** Of a run in a folder of what was named. */
  SystemBuilder inFolder(
      CompareArgument argument, ResultDirectories.FoundDirectory found, Measurement run) {
    String prefix = argument.name().map(name -> name + PART).orElse("");
    return builders.computeIfAbsent(
        new InFolder(prefix, argument.path(), found.folder(), SystemKey.of(run)),
        group -> new SystemBuilder(null));
  }

  List<ComparedSystem> build() {
    Map<String, SystemBuilder> systems = new LinkedHashMap<>();
    Set<List<String>> tops = new HashSet<>();
    Set<SystemKey> keys = new LinkedHashSet<>();
    List<Unnamed> singles = new ArrayList<>();
    for (Group group : builders.keySet()) {
      if (group instanceof Unnamed unnamed) {
        keys.add(unnamed.key());
        if (unnamed.single()) {
          singles.add(unnamed);
        }
      }
    }
    boolean apart = areBeforeAndAfter(singles);
    Map<SystemKey, String> keyNames = SystemKey.names(keys);
    builders.forEach(
        (group, builder) -> {
          if (group instanceof Named named) {
            add(systems, named.name(), builder);
          } else if (group instanceof InFolder folder) {
            if (tops.add(
                List.of(folder.prefix(), ResultDirectories.FoundDirectory.top(folder.folder())))) {
              split(
                  foldersLike(folder),
                  folder.name(ResultDirectories.FoundDirectory.top(folder.folder())),
                  0,
                  systems);
            }
          } else if (group instanceof Unnamed unnamed) {
            addUnnamed(systems, unnamed, apart ? List.of(unnamed) : like(unnamed), keyNames);
          }
        });
    List<ComparedSystem> built = new ArrayList<>();
    systems.forEach((name, builder) -> built.add(builder.build(name)));
    return built;
  }

  private static void add(Map<String, SystemBuilder> systems, String name, SystemBuilder builder) {
    SystemBuilder known = systems.putIfAbsent(name, builder);
    if (known != null && (known.isPublished() || builder.isPublished())) {
      throw new ConfigException(
          "'" + name + "' are published figures; name the measured runs otherwise");
    }
    if (known != null) {
      known.addAll(builder);
    }
  }

  private SystemBuilder builder(Group group) {
    SystemBuilder builder = builders.get(group);
    if (builder == null) {
      throw new IllegalStateException("not one of the groups: " + group);
    }
    return builder;
  }

  /** All with the same first folder, in whatever argument. */
  private List<InFolder> foldersLike(InFolder folder) {
    return builders.keySet().stream()
        .filter(InFolder.class::isInstance)
        .map(InFolder.class::cast)
        .filter(one -> one.prefix().equals(folder.prefix()))
        .filter(
            one ->
                ResultDirectories.FoundDirectory.top(one.folder())
                    .equals(ResultDirectories.FoundDirectory.top(folder.folder())))
        .toList();
  }

  /**
   * What unlike folders are called, the shorter names first; the last one parts all that differ.
   */
  private List<Function<InFolder, String>> ways(List<InFolder> folders) {
    Set<SystemKey> keys =
        folders.stream().map(InFolder::key).collect(Collectors.toCollection(LinkedHashSet::new));
    Map<SystemKey, String> keyNames = SystemKey.names(keys);
    return List.of(
        one -> one.name(one.folder()),
        one -> one.name(lastName(one.argument()) + "/" + one.folder()),
        one -> one.name(one.argument() + "/" + one.folder()),
        one ->
            one.name(one.folder()) + PART + String.valueOf(keyNames.getOrDefault(one.key(), "")));
  }

  /**
   * @param name by the way before
   * @param way what parts the folders if they are unlike
   */
  private void split(
      List<InFolder> folders, String name, int way, Map<String, SystemBuilder> systems) {
    List<Function<InFolder, String>> ways = ways(folders);
    List<Measurement> runs = folders.stream().flatMap(one -> builder(one).runs().stream()).toList();
    if (way == ways.size() || SystemKey.isOneSystem(runs)) {
      folders.forEach(one -> add(systems, name, builder(one)));
      return;
    }
    Map<String, List<InFolder>> parts =
        folders.stream()
            .collect(Collectors.groupingBy(ways.get(way), LinkedHashMap::new, Collectors.toList()));
    parts.forEach((longer, part) -> split(part, longer, way + 1, systems));
  }

  /** Those that were given one by one, with the same settings. */
  private List<Unnamed> like(Unnamed one) {
    return !one.single()
        ? List.of(one)
        : builders.keySet().stream()
            .filter(Unnamed.class::isInstance)
            .map(Unnamed.class::cast)
            .filter(other -> other.single() && other.key().equals(one.key()))
            .toList();
  }

  private void addUnnamed(
      Map<String, SystemBuilder> systems,
      Unnamed group,
      List<Unnamed> alike,
      Map<SystemKey, String> keyNames) {
    if (!alike.get(0).equals(group)) {
      return;
    }
    SystemBuilder builder = builder(group);
    alike.stream().skip(1).forEach(other -> builder.addAll(builder(other)));
    String keyName = keyNames.getOrDefault(group.key(), "");
    String name = alike.size() > 1 && !keyName.isEmpty() ? keyName : name(group, keyName);
    boolean taken = systems.containsKey(name) || builders.containsKey(new Named(name));
    add(systems, taken ? name + " (" + group.path() + ")" : name, builder);
  }

  /** Whether all runs that were given one by one are alike, and two of them have one place. */
  private boolean areBeforeAndAfter(List<Unnamed> singles) {
    Set<Place> places = new HashSet<>();
    boolean alike = singles.stream().map(Unnamed::key).distinct().count() == 1;
    return alike && !singles.stream().allMatch(one -> places.addAll(builder(one).places()));
  }

  private String name(Unnamed group, String keyName) {
    long systems =
        builders.keySet().stream()
            .filter(Unnamed.class::isInstance)
            .map(Unnamed.class::cast)
            .filter(one -> !one.single() && one.path().equals(group.path()))
            .count();
    String own = lastName(group.path());
    return !group.single() && systems > 1 ? own + PART + keyName : own;
  }

  private static String lastName(Path path) {
    return String.valueOf(path.toAbsolutePath().normalize().getFileName());
  }
}
