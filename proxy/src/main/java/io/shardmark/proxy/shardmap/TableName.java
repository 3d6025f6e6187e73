package io.shardmark.proxy.shardmap;

/** A table's qualified name, as the catalog spells it (unquoted, folded). */
public record TableName(String schema, String name) {
  /** As a statement names it, whatever characters are in it. */
  public String quoted() {
    return quoted(schema) + "." + quoted(name);
  }

  /** A name as a statement has it, whatever characters are in it. */
  public static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  @Override
  public String toString() {
    return schema + "." + name;
  }
}
