package io.shardmark.proxy.shardmap;

/** The types a sharding column may have, by what its values are in Java. */
public enum KeyType {
  /** smallint, integer, bigint: a {@link Long}. */
  INTEGER,
  /** text, varchar: a {@link String}. */
  TEXT,
  /** uuid: a {@link java.util.UUID}. */
  UUID
}
