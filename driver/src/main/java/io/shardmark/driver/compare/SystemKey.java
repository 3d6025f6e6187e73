package io.shardmark.driver.compare;

import io.shardmark.driver.results.reader.RunData;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What runs of one system have in common that nobody named: where they went, and everything that
 * makes runs alike but the place on the curve.
 *
 * @param database kind
 * @param endpoint the JDBC URL without what says how it is called and which options it has
 * @param conditions of {@link RunConditions}
 */
record SystemKey(String database, String endpoint, Map<String, String> conditions) {
  static SystemKey of(RunData run, Yardstick yardstick) {
    Map<String, String> settings = RunSettings.of(run).effective();
    Map<String, String> conditions = RunConditions.of(settings, yardstick);
    return new SystemKey(
        run.result().configuration().text("db"),
        endpoint(settings.getOrDefault("conn", "")),
        conditions);
  }

  private static String endpoint(String url) {
    String bare = url.replaceFirst("[?;].*", "");
    return bare.replaceFirst("^jdbc:[^/@]*[/@]*", "");
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
                    key.conditions.getOrDefault(RunConditions.PROFILE, "")));
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
