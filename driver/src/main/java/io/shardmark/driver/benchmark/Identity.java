package io.shardmark.driver.benchmark;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.Key;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What tells a benchmark from the others.
 *
 * @param key the value of the key {@code workload} that names it, such as {@code tpcc}; lower case
 * @param title as results name it, such as {@code TPC-C}
 * @param keys those that it has beside {@link io.shardmark.config.PropertyKey}
 * @param databases those that it has scripts and statements for
 */
public record Identity(
    String key, String title, List<? extends Key> keys, Set<DatabaseKind> databases) {
  public Identity {
    keys = List.copyOf(keys);
    databases = Collections.unmodifiableSet(EnumSet.copyOf(databases));
  }
}
