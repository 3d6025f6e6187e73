package io.shardmark.config;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The workloads that a properties file can name, with the keys of each. Immutable. */
public final class KeyCatalog {
  private final Map<String, List<Key>> ownKeys;

  /**
   * @param ownKeys the keys that a workload has in addition to those of {@link PropertyKey}, by its
   *     name; the first workload is the default
   */
  public KeyCatalog(Map<String, ? extends List<? extends Key>> ownKeys) {
    Map<String, List<Key>> copy = new LinkedHashMap<>();
    ownKeys.forEach((workload, keys) -> copy.put(workload, List.copyOf(keys)));
    this.ownKeys = Collections.unmodifiableMap(copy);
  }

  /** The names of the workloads, the default first. */
  public Set<String> workloads() {
    return ownKeys.keySet();
  }

  /** The name in a value of the key {@code workload}: what is before a colon, or all. */
  static String name(String value) {
    int colon = value.indexOf(':');
    return colon < 0 ? value : value.substring(0, colon);
  }

  String defaultWorkload() {
    return ownKeys.keySet().iterator().next();
  }

  /** All keys that count with a workload. */
  List<Key> keysOf(String workload) {
    return Stream.<Collection<? extends Key>>of(
            List.of(PropertyKey.values()), ownKeys.getOrDefault(workload, List.of()))
        .<Key>flatMap(Collection::stream)
        .toList();
  }

  /** The keys that count with any workload, each name once. */
  public List<Key> all() {
    Map<String, Key> byName = new LinkedHashMap<>();
    for (String workload : ownKeys.keySet()) {
      keysOf(workload).forEach(key -> byName.putIfAbsent(key.key(), key));
    }
    return List.copyOf(byName.values());
  }

  /** The key of this name in any case, as files write it; empty if no workload has one. */
  public Optional<String> keyNamed(String name) {
    return all().stream().map(Key::key).filter(name::equalsIgnoreCase).findFirst();
  }

  /** The key that was probably meant by a name that is no key. */
  public Optional<String> keyLike(String name) {
    return Spelling.suggestion(name, all()).map(Key::key);
  }

  /** A workload that has this key, in any case; empty if none has. */
  Optional<String> workloadWith(String key) {
    return ownKeys.entrySet().stream()
        .filter(entry -> entry.getValue().stream().anyMatch(own -> own.key().equalsIgnoreCase(key)))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** What a message says instead of an unknown workload. */
  String expected(String name) {
    String names = String.join(", ", ownKeys.keySet());
    return Spelling.nearest(name, ownKeys.keySet())
        .map(meant -> "one of %s: did you mean '%s'?".formatted(names, meant))
        .orElse("one of " + names);
  }
}
