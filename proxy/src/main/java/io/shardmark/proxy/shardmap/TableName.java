package io.shardmark.proxy.shardmap;

/** A table's qualified name, as the catalog spells it (unquoted, folded). */
public record TableName(String schema, String name) {
  @Override
  public String toString() {
    return schema + "." + name;
  }
}
