package io.shardmark.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The keys that count in one properties file: those of every workload and of the one it names. */
final class KeyTable {
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
    Optional<String> other =
        catalog
            .workloadWith(name)
            .map(one -> "it is a key of workload=%s, this is %s".formatted(one, workload));
    return other.isEmpty() ? meant : other.map(is -> meant.map(m -> is + "; " + m).orElse(is));
  }

  /** The workload that a value of the key {@code workload} names, whatever its case. */
  static Optional<String> workload(KeyCatalog catalog, String value) {
    String name = KeyCatalog.name(value.strip()).toLowerCase(Locale.ROOT);
    return catalog.workloads().stream().filter(name::equals).findFirst();
  }
}
