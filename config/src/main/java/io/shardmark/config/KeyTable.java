package io.shardmark.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The keys that count in one properties file: those of every workload and of the one it names. */
final class KeyTable {
  private static final int MOST_NAMED = 5;

  private final KeyCatalog catalog;
  private final String workload;
  private final List<Key> keys;
  private final Map<String, Key> byName;

  /**
   * @param workload one of the catalog's
   */
  KeyTable(KeyCatalog catalog, String workload) {
    this.catalog = catalog;
    this.workload = workload;
    this.keys = catalog.keysOf(workload);
    this.byName = keys.stream().collect(Collectors.toMap(Key::key, Function.identity()));
  }

  String workload() {
    return workload;
  }

  /** In the order of the reference. */
  List<Key> all() {
    return keys;
  }

  Optional<Key> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  Optional<Key> inAnyCase(String name) {
    return keys.stream().filter(key -> key.key().equalsIgnoreCase(name)).findFirst();
  }

  /**
   * Why a name is no key here: that it belongs to another workload, or what was probably meant.
   * Empty if it is like none.
   */
  Optional<String> hint(String name) {
    Optional<String> meant =
        Spelling.suggestion(name, keys).map(key -> "did you mean '%s'?".formatted(key.key()));
    return otherWorkload(name)
        .map(
            other ->
                "it is a key of workload=%s; %s"
                    .formatted(
                        other, meant.orElse("workload=%s has %s".formatted(workload, own()))))
        .or(() -> meant);
  }

  /** The workload whose key this is, if it counts there and not here. */
  Optional<String> otherWorkload(String name) {
    return inAnyCase(name).isPresent() ? Optional.empty() : catalog.workloadWith(name);
  }

  /** This workload's own keys, for a message: the first ones if there are many. */
  private String own() {
    List<Key> own = keys.stream().filter(key -> !(key instanceof PropertyKey)).toList();
    return own.stream().limit(MOST_NAMED).map(Key::key).collect(Collectors.joining(", "))
        + (own.size() > MOST_NAMED ? ", ..." : "");
  }

  /** The workload that a value of the key {@code workload} names, whatever its case. */
  static Optional<String> workload(KeyCatalog catalog, String value) {
    String name = KeyCatalog.name(value.strip()).toLowerCase(Locale.ROOT);
    return catalog.workloads().stream().filter(name::equals).findFirst();
  }
}
