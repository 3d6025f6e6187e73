package io.shardmark.proxy.shardmap;

/** How rows of a table are changed. */
public enum RowChange {
  INSERT,
  UPDATE,
  DELETE
}
