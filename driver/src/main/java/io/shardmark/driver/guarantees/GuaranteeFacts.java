package io.shardmark.driver.guarantees;

import io.shardmark.driver.results.SystemFacts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The texts in which a run keeps the settings of its servers: {@code on}, or of servers that differ
 * {@code on (s1, s3); off (s2)}.
 */
public final class GuaranteeFacts {
  /** What carries transactions over several servers: {@code proxy} or {@code citus}. */
  public static final String SHARDING = "sharding";

  /** The proxy's keys of these names. */
  public static final String CROSS_SHARD_ISOLATION = "cross_shard_isolation";

  public static final String SCATTER_READS = "scatter_reads";

  /** Of the benchmark's tables with their indexes, to two digits. */
  public static final String DATA_SIZE = "data_size";

  private GuaranteeFacts() {}

  /** The settings of several servers, by server and name, as one text for each name. */
  public static Map<String, String> merged(Map<String, Map<String, String>> servers) {
    Map<String, Map<String, List<String>>> byName = new TreeMap<>();
    servers.forEach(
        (server, settings) ->
            settings.forEach(
                (name, value) ->
                    byName
                        .computeIfAbsent(name, none -> new LinkedHashMap<>())
                        .merge(value, List.of(server), GuaranteeFacts::joined)));
    Map<String, String> merged = new LinkedHashMap<>();
    byName.forEach((name, values) -> merged.put(name, text(values)));
    return merged;
  }

  private static List<String> joined(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private static String text(Map<String, List<String>> values) {
    return values.size() == 1
        ? values.keySet().iterator().next()
        : values.entrySet().stream()
            .map(one -> "%s (%s)".formatted(one.getKey(), String.join(", ", one.getValue())))
            .collect(Collectors.joining(SystemFacts.BETWEEN));
  }

  /** The values of such a text, without the servers; none if it is empty. */
  static List<String> values(String text) {
    return text.isEmpty()
        ? List.of()
        : List.of(text.split(SystemFacts.BETWEEN, -1)).stream()
            .map(one -> one.replaceFirst(" \\([^()]*\\)$", ""))
            .toList();
  }
}
