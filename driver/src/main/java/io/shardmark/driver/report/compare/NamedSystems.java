package io.shardmark.driver.report.compare;

import io.shardmark.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The systems in the order in which they first occurred, and what they are called.
 *
 * <ul>
 *   <li>Runs of one name are one system.
 *   <li>Runs of one directory that were told the same are one system, called as the directory.
 *   <li>Runs that were given one by one without a name are one system if they were told the same
 *       but for terminals and warehouses. If they all were, and two stand at one place, each is its
 *       own: before and after, say.
 * </ul>
 */
final class NamedSystems {
  private final List<Entry> entries = new ArrayList<>();

  private enum Kind {
    NAMED,
    PUBLISHED,
    GROUP,
    SINGLE
  }

  private record Entry(
      Kind kind, String name, Path path, Optional<SystemKey> key, SystemBuilder builder) {}

  SystemBuilder named(String name) {
    for (Entry entry : entries) {
      if (entry.name().equals(name) && !name.isEmpty()) {
        if (entry.kind() == Kind.PUBLISHED) {
          throw new ConfigException(
              "'" + name + "' are published figures; name the measured runs otherwise");
        }
        return entry.builder();
      }
    }
    return add(Kind.NAMED, name, Path.of(""), Optional.empty(), new SystemBuilder());
  }

  void addPublished(String name, SystemBuilder builder) {
    if (entries.stream().anyMatch(entry -> entry.name().equals(name))) {
      throw new ConfigException("'" + name + "' is there twice; expected a name for each system");
    }
    add(Kind.PUBLISHED, name, Path.of(""), Optional.empty(), builder);
  }

  SystemBuilder inGroup(Path group, SystemKey key) {
    for (Entry entry : entries) {
      if (entry.kind() == Kind.GROUP
          && entry.path().equals(group)
          && entry.key().equals(Optional.of(key))) {
        return entry.builder();
      }
    }
    return add(Kind.GROUP, "", group, Optional.of(key), new SystemBuilder());
  }

  SystemBuilder single(Path path, SystemKey key) {
    return add(Kind.SINGLE, "", path, Optional.of(key), new SystemBuilder());
  }

  private SystemBuilder add(
      Kind kind, String name, Path path, Optional<SystemKey> key, SystemBuilder builder) {
    entries.add(new Entry(kind, name, path, key, builder));
    return builder;
  }

  List<ComparedSystem> build() {
    Map<SystemKey, List<Entry>> singles =
        entries.stream()
            .filter(entry -> entry.kind() == Kind.SINGLE)
            .collect(
                Collectors.groupingBy(
                    entry -> entry.key().orElseThrow(), LinkedHashMap::new, Collectors.toList()));
    boolean apart = singles.size() == 1 && isAnyPlaceTwice(singles.values().iterator().next());
    Map<SystemKey, String> keyNames = SystemKey.names(new LinkedHashSet<>(keys()));
    Set<String> taken = new HashSet<>();
    entries.forEach(entry -> taken.add(entry.name()));
    List<ComparedSystem> systems = new ArrayList<>();
    for (Entry entry : entries) {
      List<Entry> alike = entry.key().map(singles::get).orElse(null);
      if (entry.kind() != Kind.SINGLE || alike == null || apart || alike.size() == 1) {
        systems.add(entry.builder().build(name(entry, keyNames, taken)));
      } else if (alike.get(0).equals(entry)) {
        alike.stream().skip(1).forEach(other -> entry.builder().addAll(other.builder()));
        systems.add(entry.builder().build(free(keyName(entry, keyNames), entry, taken)));
      }
    }
    return systems;
  }

  private List<SystemKey> keys() {
    return entries.stream().flatMap(entry -> entry.key().stream()).toList();
  }

  private static boolean isAnyPlaceTwice(List<Entry> alike) {
    Set<Place> places = new HashSet<>();
    return !alike.stream().allMatch(entry -> places.addAll(entry.builder().places()));
  }

  private String name(Entry entry, Map<SystemKey, String> keyNames, Set<String> taken) {
    if (!entry.name().isEmpty()) {
      return entry.name();
    }
    String own = String.valueOf(entry.path().toAbsolutePath().normalize().getFileName());
    boolean several =
        entry.kind() == Kind.GROUP
            && entries.stream()
                    .filter(other -> other.kind() == Kind.GROUP)
                    .filter(other -> other.path().equals(entry.path()))
                    .count()
                > 1;
    return free(several ? own + " · " + keyName(entry, keyNames) : own, entry, taken);
  }

  private static String keyName(Entry entry, Map<SystemKey, String> keyNames) {
    return entry.key().map(keyNames::get).orElse("");
  }

  /** A name that no other system has. */
  private static String free(String name, Entry entry, Set<String> taken) {
    String free = name;
    if (!taken.add(free)) {
      free = name + " (" + entry.path() + ")";
      taken.add(free);
    }
    return free;
  }
}
