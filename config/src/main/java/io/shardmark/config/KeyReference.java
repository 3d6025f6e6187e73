package io.shardmark.config;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A key of properties files as a reference shows it.
 *
 * @param name as written in files
 * @param type such as {@code int 1..3600}
 * @param missing the default, or what happens without the key
 * @param meaning in a few words
 */
public record KeyReference(String name, String type, String missing, String meaning) {
  /** The keys that any of these read, in the order of {@code docs/properties.md}. */
  public static List<KeyReference> readBy(Set<KeyUse> uses) {
    return Stream.of(PropertyKey.values())
        .filter(key -> !Collections.disjoint(key.uses(), uses))
        .map(PropertyKey::reference)
        .toList();
  }
}
