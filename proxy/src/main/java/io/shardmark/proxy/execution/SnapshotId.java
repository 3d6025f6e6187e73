package io.shardmark.proxy.execution;

import io.shardmark.proxy.protocol.SqlState;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A snapshot that a transaction has exported on its shards: it names what each of them has called
 * it, so that every proxy can use it.
 *
 * @param byShard by name of the shard
 */
public record SnapshotId(Map<String, String> byShard) {
  private static final String PREFIX = "shardmark:";

  public SnapshotId {
    byShard = Map.copyOf(byShard);
  }

  /**
   * Reads {@link #text}.
   *
   * @throws StatementException if it is anything else
   */
  public static SnapshotId parse(String text) {
    Map<String, String> byShard = new TreeMap<>();
    if (text.matches(PREFIX + "([a-z0-9-]+=[0-9A-F-]+)(,[a-z0-9-]+=[0-9A-F-]+)*")) {
      for (String part : text.substring(PREFIX.length()).split(",", -1)) {
        int equals = part.indexOf('=');
        byShard.put(part.substring(0, equals), part.substring(equals + 1));
      }
      return new SnapshotId(byShard);
    }
    throw new StatementException(
        SqlState.INVALID_PARAMETER_VALUE,
        "invalid snapshot identifier: \"" + text + "\"",
        "Use what pg_export_snapshot() has given through a proxy of this cluster.");
  }

  /** What clients are given. */
  public String text() {
    return new TreeMap<>(byShard)
        .entrySet().stream()
            .map(part -> part.getKey() + "=" + part.getValue())
            .collect(Collectors.joining(",", PREFIX, ""));
  }

  /**
   * The statement for a transaction that has begun on that shard.
   *
   * @throws StatementException if the snapshot has nothing of the shard
   */
  public String sql(String shard) {
    String part = byShard.get(shard);
    if (part == null) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED, "the snapshot was not taken on shard " + shard);
    }
    return "SET TRANSACTION SNAPSHOT '" + part + "'";
  }
}
