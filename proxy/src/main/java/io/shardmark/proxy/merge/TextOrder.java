package io.shardmark.proxy.merge;

/** Whether text in a column can be put in order here; of no concern for other types. */
public enum TextOrder {
  /** The collation orders text as its bytes (C, POSIX, C.UTF-8), or the type has none. */
  BYTES,
  /** Another collation, or an unknown one: text can be compared for equality only. */
  UNKNOWN
}
