package io.shardmark.proxy.merge;

import org.jspecify.annotations.Nullable;

/** The types whose values are compared here, by their object id in pg_type. */
enum ValueType {
  BOOL(16),
  BYTEA(17),
  NAME(19),
  INT8(20),
  INT2(21),
  INT4(23),
  TEXT(25),
  OID(26),
  FLOAT4(700),
  FLOAT8(701),
  BPCHAR(1042),
  VARCHAR(1043),
  DATE(1082),
  TIME(1083),
  TIMESTAMP(1114),
  TIMESTAMPTZ(1184),
  NUMERIC(1700),
  UUID(2950);

  private final int oid;

  ValueType(int oid) {
    this.oid = oid;
  }

  /** The type with this id, or null. */
  static @Nullable ValueType of(int oid) {
    for (ValueType type : values()) {
      if (type.oid == oid) {
        return type;
      }
    }
    return null;
  }
}
