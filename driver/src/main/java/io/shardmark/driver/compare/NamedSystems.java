package io.shardmark.driver.compare;

import io.shardmark.config.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
  private final Map<Group, SystemBuilder> builders = new LinkedHashMap<>();

  /**
   * What runs of one system have in common that nobody named: where they went, and everything that
   * makes runs alike but the place on the curve.
   *
   * @param endpoint the JDBC URL without what says how it is called and which options it has
   */
  private record SystemKey(String database, String endpoint, Map<String, String> conditions) {
    static SystemKey of(Measurement run) {
      String url = run.settings().effective().getOrDefault("conn", "").replaceFirst("[?;].*", "");
      return new SystemKey(
          run.result().configuration().text("db"),
          url.replaceFirst("^jdbc:[^/@]*[/@]*", ""),
          run.conditions());
    }

    /** As short as tells them apart. */
    static Map<SystemKey, String> names(Collection<SystemKey> keys) {
      List<Function<SystemKey, String>> ways =
          List.of(
              SystemKey::database,
              key -> joined(key.database, key.endpoint),
              key ->
                  joined(
                      key.database,
                      key.endpoint,
                      key.conditions.getOrDefault(RunSettings.PROFILE, "")));
      for (Function<SystemKey, String> way : ways) {
        Map<SystemKey, String> names = new LinkedHashMap<>();
        keys.forEach(key -> names.put(key, way.apply(key)));
        boolean named = names.values().stream().noneMatch(String::isEmpty);
        if (named && names.values().stream().distinct().count() == keys.size()) {
          return names;
        }
      }
      Map<SystemKey, String> names = new LinkedHashMap<>();
      for (SystemKey key : keys) {
        names.put(key, joined(key.database, key.endpoint, "no. " + (names.size() + 1)));
      }
      return names;
    }

    private static String joined(String... parts) {
      return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(" "));
    }
  }

  /** A system as it was named, or as the directory and the settings of its runs make it one. */
  private record Group(String name, Path path, Optional<SystemKey> key, boolean single) {
    static Group named(String name) {
      return new Group(name, Path.of(""), Optional.empty(), false);
    }
  }

  SystemBuilder named(String name) {
    SystemBuilder known =
        builders.computeIfAbsent(Group.named(name), group -> new SystemBuilder(null));
    if (known.isPublished()) {
      throw new ConfigException(
          "'" + name + "' are published figures; name the measured runs otherwise");
    }
    return known;
  }

  void addPublished(String name, SystemBuilder builder) {
    if (builders.putIfAbsent(Group.named(name), builder) != null) {
      throw new ConfigException("'" + name + "' is there twice; expected a name for each system");
    }
  }

  /** Of a run that was given by itself, or in a group where others of its system may be. */
  SystemBuilder unnamed(Path path, Measurement run, boolean single) {
    return builders.computeIfAbsent(
        new Group("", path, Optional.of(SystemKey.of(run)), single),
        group -> new SystemBuilder(null));
  }

  List<ComparedSystem> build() {
    Map<SystemKey, List<SystemBuilder>> singles = new LinkedHashMap<>();
    Set<SystemKey> keys = new LinkedHashSet<>();
    Set<String> taken = new HashSet<>();
    builders.forEach(
        (group, builder) -> {
          taken.add(group.name());
          group.key().ifPresent(keys::add);
          group
              .key()
              .filter(key -> group.single())
              .ifPresent(key -> singles.computeIfAbsent(key, k -> new ArrayList<>()).add(builder));
        });
    boolean apart = singles.size() == 1 && isAnyPlaceTwice(singles.values().iterator().next());
    Map<SystemKey, String> keyNames = SystemKey.names(keys);
    List<ComparedSystem> systems = new ArrayList<>();
    builders.forEach(
        (group, builder) -> {
          String keyName = group.key().map(keyNames::get).orElse("");
          List<SystemBuilder> alike =
              group.single() && !apart
                  ? group.key().map(singles::get).orElse(List.of())
                  : List.of(builder);
          if (alike.get(0) == builder) {
            alike.stream().skip(1).forEach(builder::addAll);
            String name = alike.size() > 1 ? keyName : name(group, keyName);
            systems.add(builder.build(group.name().isEmpty() ? free(name, group, taken) : name));
          }
        });
    return systems;
  }

  private static boolean isAnyPlaceTwice(List<SystemBuilder> alike) {
    Set<Place> places = new HashSet<>();
    return !alike.stream().allMatch(builder -> places.addAll(builder.places()));
  }

  private String name(Group group, String keyName) {
    if (!group.name().isEmpty()) {
      return group.name();
    }
    String own = String.valueOf(group.path().toAbsolutePath().normalize().getFileName());
    long systems =
        builders.keySet().stream()
            .filter(one -> one.key().isPresent() && !one.single())
            .filter(one -> one.path().equals(group.path()))
            .count();
    return !group.single() && systems > 1 ? own + " · " + keyName : own;
  }

  private static String free(String name, Group group, Set<String> taken) {
    String free = taken.contains(name) ? name + " (" + group.path() + ")" : name;
    taken.add(free);
    return free;
  }
}
