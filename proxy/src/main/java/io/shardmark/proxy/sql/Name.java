package io.shardmark.proxy.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name in a statement, perhaps with its schema.
 *
 * @param path its parts: of database, schema and table the last two count
 * @param start offset of its first character in the text
 * @param end offset after its last character
 */
public record Name(List<String> path, int start, int end) {
  public Name {
    path = List.copyOf(path);
  }

  /** Without a schema. */
  public String name() {
    return path.get(path.size() - 1);
  }

  /** Null if it has none. */
  public @Nullable String schema() {
    return path.size() < 2 ? null : path.get(path.size() - 2);
  }

  /** Of a column's name the table's. */
  public Name owner() {
    return new Name(path.subList(0, Math.max(1, path.size() - 1)), start, end);
  }
}
