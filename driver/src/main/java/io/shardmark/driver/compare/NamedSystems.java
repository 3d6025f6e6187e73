package io.shardmark.driver.compare;

import io.shardmark.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The systems in the order in which they first occurred, and what they are called.
 *
 * <ul>
 *   <li>Runs of one name are one system.
 *   <li>Runs of one directory with the same settings are one system, called as the directory.
 *   <li>Runs that were given one by one without a name are one system if they had the same settings
 *       but for terminals and warehouses. If they all were, and two stand at one place, each is its
 *       own: before and after, say.
 * </ul>
 */
final class NamedSystems {
  private final List<Entry> entries = new ArrayList<>();

  /** A system as it was named, or as the directory and the settings of its runs make it one. */
  private record Entry(
      String name, Path path, Optional<SystemKey> key, boolean single, SystemBuilder builder) {}

  SystemBuilder named(String name) {
    Optional<SystemBuilder> known =
        entries.stream().filter(one -> one.name().equals(name)).map(Entry::builder).findFirst();
    if (known.filter(SystemBuilder::isPublished).isPresent()) {
      throw new ConfigException(
          "'" + name + "' are published figures; name the measured runs otherwise");
    }
    return known.orElseGet(() -> add(name, Path.of(""), null, false, new SystemBuilder()));
  }

  void addPublished(String name, SystemBuilder builder) {
    if (entries.stream().anyMatch(entry -> entry.name().equals(name))) {
      throw new ConfigException("'" + name + "' is there twice; expected a name for each system");
    }
    add(name, Path.of(""), null, false, builder);
  }

  /** Of a run that was given by itself, or in a group where others of its system may be. */
  SystemBuilder unnamed(Path path, SystemKey key, boolean single) {
    return groups(path)
        .filter(one -> !single && one.key().equals(Optional.of(key)))
        .map(Entry::builder)
        .findFirst()
        .orElseGet(() -> add("", path, key, single, new SystemBuilder()));
  }

  private Stream<Entry> groups(Path path) {
    return entries.stream()
        .filter(one -> one.key().isPresent() && !one.single() && one.path().equals(path));
  }

  private SystemBuilder add(
      String name, Path path, @Nullable SystemKey key, boolean single, SystemBuilder builder) {
    entries.add(new Entry(name, path, Optional.ofNullable(key), single, builder));
    return builder;
  }

  List<ComparedSystem> build() {
    Map<SystemKey, List<Entry>> singles =
        entries.stream()
            .filter(Entry::single)
            .collect(
                Collectors.groupingBy(
                    entry -> entry.key().orElseThrow(), LinkedHashMap::new, Collectors.toList()));
    boolean apart = singles.size() == 1 && isAnyPlaceTwice(singles.values().iterator().next());
    Map<SystemKey, String> keyNames =
        SystemKey.names(entries.stream().flatMap(one -> one.key().stream()).distinct().toList());
    Set<String> taken = new HashSet<>();
    entries.forEach(entry -> taken.add(entry.name()));
    List<ComparedSystem> systems = new ArrayList<>();
    for (Entry entry : entries) {
      String keyName = entry.key().map(keyNames::get).orElse("");
      List<Entry> alike =
          entry.single() && !apart
              ? entry.key().map(singles::get).orElse(List.of())
              : List.of(entry);
      if (alike.get(0).equals(entry)) {
        alike.stream().skip(1).forEach(other -> entry.builder().addAll(other.builder()));
        String name = alike.size() > 1 ? keyName : name(entry, keyName);
        systems.add(
            entry.builder().build(entry.name().isEmpty() ? free(name, entry, taken) : name));
      }
    }
    return systems;
  }

  private static boolean isAnyPlaceTwice(List<Entry> alike) {
    Set<Place> places = new HashSet<>();
    return !alike.stream().allMatch(entry -> places.addAll(entry.builder().places()));
  }

  private String name(Entry entry, String keyName) {
    if (!entry.name().isEmpty()) {
      return entry.name();
    }
    String own = String.valueOf(entry.path().toAbsolutePath().normalize().getFileName());
    boolean several = !entry.single() && groups(entry.path()).count() > 1;
    return several ? own + " · " + keyName : own;
  }

  /** A name that no other system has. */
  private static String free(String name, Entry entry, Set<String> taken) {
    String free = taken.contains(name) ? name + " (" + entry.path() + ")" : name;
    taken.add(free);
    return free;
  }
}
