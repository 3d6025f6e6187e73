package io.shardmark.driver.compare;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the runs of one system have in common: what they measured, and all that makes runs alike but
 * the place on the curve.
 *
 * @param facets texts by name, in the order in which names of systems use them; an empty text is
 *     not known
 */
record SystemKey(Map<String, String> facets) {
  private static final String DATABASE = "database";
  private static final String ENDPOINT = "endpoint";
  private static final String VERSION = "version";

  /** What no two places of one curve differ in. */
  private static final List<String> OF_A_CURVE =
      List.of(DATABASE, ENDPOINT, VERSION, RunSettings.PROFILE);

  /** The endpoint is the JDBC URL without its scheme and its options. */
  static SystemKey of(Measurement run) {
    Map<String, String> facets = new LinkedHashMap<>();
    facets.put(DATABASE, run.result().configuration().text("db"));
    String url = run.settings().effective().getOrDefault("conn", "").replaceFirst("[?;].*", "");
    facets.put(ENDPOINT, url.replaceFirst("^jdbc:[^/@]*[/@]*", ""));
    facets.put(VERSION, version(run.result().database()));
    facets.putAll(run.conditions());
    return new SystemKey(facets);
  }

  private static String version(Map<String, String> database) {
    String extension = database.getOrDefault("citus", "");
    return Stream.of(
            database.getOrDefault("product", ""),
            database.getOrDefault("version", ""),
            extension.isEmpty() ? "" : "Citus " + extension)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(" "));
  }

  private String text(String facet) {
    return facets.getOrDefault(facet, "");
  }

  /** Whether both know the facet and differ in it. */
  private boolean differs(SystemKey other, String facet) {
    String own = text(facet);
    String its = other.text(facet);
    return !own.isEmpty() && !its.isEmpty() && !own.equals(its);
  }

  /** The first facet in which runs differ, with both texts; empty if they are alike. */
  Optional<String> difference(SystemKey other) {
    return facets.keySet().stream()
        .filter(facet -> differs(other, facet))
        .findFirst()
        .map(facet -> "%s %s and %s".formatted(facet, text(facet), other.text(facet)));
  }

  private static boolean isOfOneCurve(SystemKey one, SystemKey other) {
    return OF_A_CURVE.stream().noneMatch(facet -> one.differs(other, facet));
  }

  /**
   * Whether runs can be one curve: of one database, endpoint, version and profile, and alike at
   * each place.
   */
  static boolean isOneSystem(List<Measurement> runs) {
    Map<Place, SystemKey> places = new LinkedHashMap<>();
    SystemKey first = of(runs.get(0));
    for (Measurement run : runs) {
      SystemKey key = of(run);
      SystemKey before = Objects.requireNonNullElse(places.putIfAbsent(run.place(), key), key);
      if (!isOfOneCurve(first, key) || before.difference(key).isPresent()) {
        return false;
      }
    }
    return true;
  }

  /** The database and as many of the facets that differ as distinguish the keys. */
  static Map<SystemKey, String> names(Collection<SystemKey> keys) {
    Map<SystemKey, String> names = new LinkedHashMap<>();
    keys.forEach(key -> names.put(key, key.text(DATABASE)));
    Set<String> facets = new LinkedHashSet<>();
    keys.forEach(key -> facets.addAll(key.facets.keySet()));
    for (String facet : facets) {
      boolean apart = names.values().stream().distinct().count() == names.size();
      if (!apart && keys.stream().map(key -> key.text(facet)).distinct().count() > 1) {
        names.replaceAll((key, name) -> (name + " " + known(key.text(facet))).strip());
      }
    }
    return names;
  }

  private static String known(String text) {
    return text.isEmpty() ? "(not known)" : text;
  }
}
